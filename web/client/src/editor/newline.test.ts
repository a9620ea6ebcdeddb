import assert from "node:assert/strict"
import { test } from "node:test"
import { draftWithLF, offsetBehindLF, withLF } from "./newline.ts"

test("a textarea's line breaks, there and back", () => {
  const text = "a\r\n@x\rb\n\r\n"
  const shown = withLF(text)
  assert.equal(shown, "a\n@x\nb\n\n")
  const { tags } = draftWithLF({ text, tags: [{ id: "x", serialized: "@x", start: 3, end: 5 }] })
  assert.deepEqual(tags, [{ id: "x", serialized: "@x", start: 2, end: 4 }])
  assert.deepEqual([0, 1, 2, 4, 5, 6, 7, 8, 99].map((at) => offsetBehindLF(text, at)), [0, 1, 3, 5, 6, 7, 8, 10, 10])
  for (let at = 0; at <= shown.length; at++) assert.equal(withLF(text.slice(0, offsetBehindLF(text, at))), shown.slice(0, at))
})
