import assert from "node:assert/strict"
import { test } from "node:test"
import vectors from "../../templates/testdata/fold.json"
import { foldOf, isWide } from "./fold.ts"
import wide from "./wide.json"

for (const { name, lines, fold } of vectors) {
  test(`folds as on the server: ${name}`, () => {
    assert.equal(foldOf(lines.map(({ unit, times }) => unit.repeat(times)).join("\n")), fold)
  })
}

test("each range of wide characters is found, and nothing beside it", () => {
  for (const [first, last] of wide as [number, number][]) {
    assert.deepEqual([first - 1, first, last, last + 1].map(isWide), [false, true, true, false], String(first))
  }
})
