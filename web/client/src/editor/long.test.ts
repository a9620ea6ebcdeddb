import assert from "node:assert/strict"
import { test } from "node:test"
import { isLong, lineCount, maxLines, maxUnits } from "./long.ts"

test("a paste is long by its lines or its length", () => {
  assert.equal(isLong("x\n".repeat(maxLines - 1) + "x"), false)
  assert.equal(isLong("x\n".repeat(maxLines) + "x"), true)
  assert.equal(isLong("x".repeat(maxUnits)), false)
  assert.equal(isLong("x".repeat(maxUnits + 1)), true)
  assert.equal(isLong(""), false)
})

test("lines are counted up to what is asked", () => {
  assert.equal(lineCount(""), 1)
  assert.equal(lineCount("a\nb\n"), 3)
  assert.equal(lineCount("\n".repeat(100), 5), 5)
})
