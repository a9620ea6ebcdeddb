import assert from "node:assert/strict"
import { test } from "node:test"
import vectors from "../../../composer/testdata/shown.json"
import { drawable, faceOf } from "./chip.ts"
import type { Tag } from "./message.ts"

for (const c of vectors.chips as (Omit<Tag, "id"> & { name: string; wantKind: string; wantLabel: string; wantValue: string })[]) {
  test(`a chip's face as the server draws it: ${c.name}`, () => {
    assert.deepEqual(faceOf({ id: "id", ...c }), { kind: c.wantKind, label: c.wantLabel, value: c.wantValue })
  })
}

test("commands, and tags whose id the server drops, are not drawn", () => {
  const tag = { id: "x".repeat(256), start: 0, end: 1 }
  assert.ok(drawable(tag))
  assert.ok(!drawable({ ...tag, id: tag.id + "x" }))
  assert.ok(!drawable({ ...tag, id: "a\0" }))
  assert.ok(!drawable({ type: "command", start: 0, end: 2, text: "/x", command: { name: "x" } }))
})
