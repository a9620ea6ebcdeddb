import assert from "node:assert/strict"
import { test } from "node:test"
import type { InlineTag } from "../message.ts"
import { changeBetween, mapMarks } from "./change.ts"

const cases: [name: string, before: string, after: string, caret: number, from: number, to: number, length: number][] = [
  ["typed at the end", "ab", "abc", 3, 2, 2, 1],
  ["typed before an equal character", "@@a", "@@@a", 1, 0, 0, 1],
  ["typed after an equal character", "@a", "@aa", 3, 2, 2, 1],
  ["deleted backwards among equals", "aaa", "aa", 1, 1, 2, 0],
  ["replaced", "one two", "one 2", 5, 4, 7, 1],
  ["emptied", "abc", "", 0, 0, 3, 0],
  ["filled", "", "abc", 3, 0, 0, 3],
  ["unchanged", "abc", "abc", 1, 1, 1, 0],
  ["changed behind the caret", "abc", "abXc", 1, 2, 2, 1],
]
for (const [name, before, after, caret, from, to, length] of cases) {
  test(`an edit: ${name}`, () => {
    const change = changeBetween(before, after, caret)
    assert.deepEqual(change, { from, to, length })
    assert.equal(before.slice(0, from) + after.slice(from, from + length) + before.slice(to), after)
  })
}

const chip = (start: number, end: number): InlineTag => ({ id: "c", serialized: "@x", start, end })

test("marks move with what is before them, and go with what is in them", () => {
  const marks = [chip(0, 2), chip(3, 5), chip(6, 8)]
  assert.deepEqual(mapMarks(marks, { from: 2, to: 3, length: 4 }), [chip(0, 2), chip(6, 8), chip(9, 11)])
  assert.deepEqual(mapMarks(marks, { from: 4, to: 4, length: 1 }), [chip(0, 2), chip(7, 9)])
  assert.deepEqual(mapMarks(marks, { from: 3, to: 3, length: 1 }), [chip(0, 2), chip(4, 6), chip(7, 9)])
  assert.deepEqual(mapMarks(marks, { from: 5, to: 5, length: 1 }), [chip(0, 2), chip(3, 5), chip(7, 9)])
  assert.deepEqual(mapMarks(marks, { from: 1, to: 7, length: 0 }), [])
  assert.deepEqual(mapMarks(marks, { from: 3, to: 5, length: 0 }), [chip(0, 2), chip(4, 6)])
})
