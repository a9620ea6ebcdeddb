import assert from "node:assert/strict"
import { test } from "node:test"
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
