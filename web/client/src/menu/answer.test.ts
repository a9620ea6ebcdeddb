import assert from "node:assert/strict"
import { test } from "node:test"
import { readMentions } from "./answer.ts"

const tag = { id: "file:a b", kind: "file", label: "a b", value: "a b", serialized: "@a\\ b" }
const item = { tag, title: "a b", detail: "src", directory: false, matches: [[0, 1]], detailMatches: [[0, 3]] }
const read = (items: unknown) => readMentions({ groups: [{ provider: "file", label: "Files", items }] })?.[0]

test("an answer as the server writes it", () => {
  assert.deepEqual(readMentions({ groups: [
    { provider: "file", label: "Files", items: [item] },
    { provider: "x", label: "X", items: [], partial: true },
    { provider: "y", label: "Y", items: [], error: "down" },
  ] }), [
    { provider: "file", label: "Files", mentions: [{ tag, title: "a b", detail: "src", directory: false, matches: [[0, 1]], detailMatches: [[0, 3]] }], partial: false, error: "" },
    { provider: "x", label: "X", mentions: [], partial: true, error: "" },
    { provider: "y", label: "Y", mentions: [], partial: false, error: "down" },
  ])
})

for (const [name, json] of Object.entries<unknown>({ "null": null, "a list": [], "no groups": {}, "groups no list": { groups: {} } })) {
  test(`no answer: ${name}`, () => assert.equal(readMentions(json), null))
}

for (const [name, entry] of Object.entries<unknown>({
  "null": null, "a list": [item], "no tag": { title: "x" }, "a tag without an id": { ...item, tag: { ...tag, id: "" } },
  "an id that is a number": { ...item, tag: { ...tag, id: 5 } },
  "a form of two lines": { ...item, tag: { ...tag, serialized: "@a\nb" } },
  "a form that is too long": { ...item, tag: { ...tag, serialized: "@" + "x".repeat(1024) } },
  "a blank form": { ...item, tag: { ...tag, serialized: " " } },
})) {
  test(`an item that is none: ${name}`, () => assert.deepEqual(read([entry, item])?.mentions.length, 1))
}

test("fields of the wrong type are as if they were not there", () => {
  const got = read([{ ...item, tag: { ...tag, kind: 5, label: null }, title: 5, detail: {}, directory: "yes", matches: "0,1", detailMatches: [[0, 9]] }])
  assert.deepEqual(got?.mentions, [{
    tag: { id: tag.id, value: tag.value, serialized: tag.serialized }, title: "@a\\ b", detail: "", directory: false, matches: [], detailMatches: [],
  }])
})

test("no more than 50 items of a group, and 32 groups, are read", () => {
  assert.equal(read(Array.from({ length: 99 }, () => item))?.mentions.length, 50)
  assert.equal(readMentions({ groups: Array.from({ length: 99 }, () => ({ items: [] })) })?.length, 32)
})
