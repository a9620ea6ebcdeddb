import assert from "node:assert/strict"
import { test } from "node:test"
import vectors from "../../../composer/testdata/shown.json"
import { shown, visible } from "./visible.ts"

const ranges = (list: number[][]): ((r: number) => boolean) => (r) => list.some(([lo, hi]) => lo! <= r && r <= hi!)

test("every character is shown as the server shows it", () => {
  const spelled = ranges(vectors.spelled)
  const unseen = ranges(vectors.unseen)
  for (let r = 0; r <= 0x10ffff; r++) {
    if (r >= 0xd800 && r <= 0xdfff) continue
    const char = String.fromCodePoint(r)
    const name = "U+" + r.toString(16).toUpperCase().padStart(4, "0")
    assert.equal(visible(`x${char}y`), spelled(r) ? `x⟨${name}⟩y` : `x${char}y`, name)
    assert.equal(shown(char) === "", unseen(r), name)
  }
})
