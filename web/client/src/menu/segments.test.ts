import assert from "node:assert/strict"
import { test } from "node:test"
import { checkedSpans, segments } from "./segments.ts"

const title = "😀 文件 Makefile"

test("what is marked is what the ranges say, in UTF-16 units", () => {
  const spans = checkedSpans([[0, 2], [3, 5], [6, 9]], title)
  assert.deepEqual(segments(title, spans), [
    { text: "😀", marked: true }, { text: " ", marked: false },
    { text: "文件", marked: true }, { text: " ", marked: false },
    { text: "Mak", marked: true }, { text: "efile", marked: false },
  ])
})

for (const [name, value] of Object.entries<unknown>({
  "no list": "0,2", "null": null, "numbers": [0, 2], "strings": [["0", "2"]], "inverted": [[2, 0]], "empty": [[2, 2]],
  "negative": [[-1, 2]], "past the end": [[0, 99]], "half": [[0.5, 2]], "NaN": [[NaN, 2]], "objects": [{ 0: 0, 1: 2 }],
})) {
  test(`no range: ${name}`, () => assert.deepEqual(checkedSpans(value, title), []))
}

test("ranges that overlap or go back are dropped, those in half a pair widened", () => {
  assert.deepEqual(checkedSpans([[3, 5], [4, 6], [0, 2], [6, 7]], title), [[3, 5], [6, 7]])
  assert.deepEqual(checkedSpans([[1, 2]], title), [[0, 2]])
  assert.deepEqual(checkedSpans([[0, 1], [1, 2]], title), [[0, 2]])
})

test("segments joined are the text, whatever the ranges", () => {
  for (let from = 0; from <= title.length; from++) {
    for (let to = from; to <= title.length; to++) {
      assert.equal(segments(title, checkedSpans([[from, to]], title)).map((part) => part.text).join(""), title)
    }
  }
})
