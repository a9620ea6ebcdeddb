import assert from "node:assert/strict"
import { test } from "node:test"
import { joinDrafts, marksWithin, type Draft } from "./message.ts"
import { parseAnnotations, parseDraft } from "./parse.ts"

const file = { id: "f", kind: "file", value: "a b", serialized: "@a\\ b" }

test("a stored draft keeps its chips", () => {
  const text = "see @a\\ b now"
  const draft = parseDraft(text, JSON.stringify([{ ...file, start: 4, end: 9 }]))
  assert.deepEqual(draft, { text, tags: [{ ...file, start: 4, end: 9 }] })
})

test("tags without a range come before the text", () => {
  const draft = parseDraft("now", [file, { id: "second" }])
  assert.equal(draft.text, "@a\\ b\nsecond\n\nnow")
  assert.deepEqual(draft.tags.map((tag) => draft.text.slice(tag.start, tag.end)), ["@a\\ b", "second"])
})

for (const [name, tags] of Object.entries<unknown>({
  "not JSON": "[",
  "no list": "{}",
  "null": null,
  "a range past the end": [{ ...file, start: 4, end: 99 }],
  "a range of another text": [{ ...file, start: 3, end: 8 }],
  "an inverted range": [{ ...file, start: 9, end: 4 }],
  "half an offset": [{ ...file, start: 4.5, end: 9 }],
  "a string for an offset": [{ ...file, start: "4", end: 9 }],
  "NaN": [{ ...file, start: NaN, end: 9 }],
  "no id": [{ kind: "file", serialized: "@a\\ b", start: 4, end: 9 }],
  "an id that is a number": [{ ...file, id: 5, start: 4, end: 9 }],
  "a command without a name": [{ type: "command", start: 0, end: 3, text: "see", command: {} }],
  "a list in the list": [[file]],
})) {
  test(`dropped: ${name}`, () => {
    assert.deepEqual(parseDraft("see @a\\ b now", tags), { text: "see @a\\ b now", tags: [] })
  })
}

test("of chips that overlap the first is kept, a command takes none away", () => {
  const draft = parseDraft("/go @x", [
    { id: "second", serialized: "@x", start: 4, end: 6 },
    { id: "first", serialized: "@x", start: 4, end: 6 },
    { type: "command", start: 0, end: 6, text: "/go @x", command: { name: "go", displayCategory: "odd" } },
  ])
  assert.deepEqual(draft.tags, [
    { type: "command", start: 0, end: 6, text: "/go @x", command: { name: "go" } },
    { id: "second", serialized: "@x", start: 4, end: 6 },
  ])
})

test("stored annotations become the composer's tags again", () => {
  const content = "😀 @x"
  const draft = parseAnnotations(content, [
    { type: "reference", start: 3, end: 5, text: "@x", reference: { id: "r", label: "L", serialized: "@x", removable: false } },
    { type: "odd", start: 0, end: 2, text: "😀" },
  ])
  assert.deepEqual(draft, { text: content, tags: [{ id: "r", label: "L", serialized: "@x", removable: false, start: 3, end: 5 }] })
})

test("joining shifts ranges, slicing shifts them back", () => {
  const one: Draft = { text: "😀 @x", tags: [{ id: "1", serialized: "@x", start: 3, end: 5 }] }
  const joined = joinDrafts([one, { text: "", tags: [] }, one])
  assert.equal(joined.text, "😀 @x\n\n😀 @x")
  assert.deepEqual(joined.tags.map((tag) => joined.text.slice(tag.start, tag.end)), ["@x", "@x"])
  assert.deepEqual(marksWithin(joined.tags, 7, joined.text.length), one.tags)
  assert.deepEqual(marksWithin(joined.tags, 0, 4), [])
})
