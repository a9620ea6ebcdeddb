import assert from "node:assert/strict"
import { test } from "node:test"
import { payloadOf, readPayload } from "./payload.ts"

const tag = { id: "x", kind: "file", serialized: "@x", start: 4, end: 6 }
const draft = { text: "see @x", tags: [tag] }

test("a piece of a message comes back with its chips", () => {
  assert.deepEqual(readPayload(draft.text, payloadOf(draft)!), draft)
})

test("plain text says it all where there are no chips", () => {
  assert.equal(payloadOf({ text: "x", tags: [] }), null)
})

for (const [name, payload] of Object.entries({
  "nothing": "",
  "not JSON": "{",
  "another text": JSON.stringify({ text: "see @y", tags: [tag] }),
  "no text": JSON.stringify({ tags: [tag] }),
  "a list": JSON.stringify([draft]),
  "null": "null",
  "tags that are no list": JSON.stringify({ text: draft.text, tags: { 0: tag } }),
  "a range of another text": JSON.stringify({ text: draft.text, tags: [{ ...tag, start: 3, end: 5 }] }),
  "a chip without a range": JSON.stringify({ text: draft.text, tags: [{ id: "y", serialized: "@y" }] }),
  "too much": JSON.stringify({ text: draft.text, tags: [tag], more: "x".repeat(5 << 20) }),
})) {
  test(`only the plain text counts beside a payload with ${name}`, () => {
    assert.deepEqual(readPayload(draft.text, payload), { text: draft.text, tags: [] })
  })
}

test("unknown members are left behind, and what could not be removed can be", () => {
  const payload = JSON.stringify({ text: draft.text, tags: [{ ...tag, removable: false, onclick: "x" }] })
  assert.deepEqual(readPayload(draft.text, payload).tags, [{ ...tag, removable: true }])
})

test("line ends are what they were, but for a clipboard that has turned them", () => {
  const text = "a\r\nb\nc\rd"
  assert.equal(readPayload(text, "").text, text)
  assert.equal(readPayload("a\r\nb", "", true).text, "a\nb")
  const copied = { text: "a\n@x", tags: [{ id: "x", serialized: "@x", start: 2, end: 4 }] }
  assert.deepEqual(readPayload("a\r\n@x", payloadOf(copied)!, true), copied)
})
