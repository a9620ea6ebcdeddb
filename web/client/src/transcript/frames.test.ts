import assert from "node:assert/strict"
import { test } from "node:test"
import { retryAfter } from "./backoff.ts"
import { formatCursor, parseCursor } from "./cursor.ts"
import { BadStream, FrameReader } from "./frames.ts"

test("data keeps its line breaks and spaces", () => {
  const [step] = new FrameReader().feed("id: 1\nevent: row\ndata:  a\ndata: \ndata: b \n\n")
  assert.deepEqual(step, { cursor: { seq: 1, n: 0 }, frames: [{ event: "row", data: " a\n\nb " }] })
})

test("a step has a limit, in one frame or in many", () => {
  const one = new FrameReader(1000)
  assert.throws(() => one.feed("event: row\ndata: " + "x".repeat(2000)), BadStream)
  const many = new FrameReader(1000)
  assert.throws(() => {
    for (let i = 0; i < 30; i++) many.feed(`event: row\ndata: ${"x".repeat(100)}\n\n`)
  }, BadStream)
})

test("many steps under the limit are fine", () => {
  const reader = new FrameReader(1000)
  for (let i = 1; i < 100; i++) assert.equal(reader.feed(`id: ${i}\nevent: row\ndata: ${"x".repeat(500)}\n\n`).length, 1)
})

test("cursors", () => {
  for (const text of ["0", "12", "12.3", "999999999999999.1"]) assert.equal(formatCursor(parseCursor(text)!), text)
  for (const text of ["", "-1", "1.", ".1", "1.2.3", "1e3", " 1", "x", "1".repeat(20)]) assert.equal(parseCursor(text), null, text)
})

test("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")
  assert.equal(retryAfter("7", now), 7000)
  assert.equal(retryAfter("Thu, 01 Jan 2026 00:00:30 GMT", now), 30_000)
  assert.equal(retryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now), 0)
  for (const nothing of [null, "", "soon", "-3"]) assert.equal(retryAfter(nothing, now), 0)
})
