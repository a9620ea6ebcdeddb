import assert from "node:assert/strict"
import { test } from "node:test"
import { filter, grouped } from "./filter.ts"
import { match } from "./match.ts"

test("the start of a name beats a word's start, that the inside, that scattered letters", () => {
  const names = ["a-xyz-b", "axb", "sab", "x-ab", "abc", "ab"]
  assert.deepEqual(filter(names, "ab", (name) => name).map((hit) => hit.value), ["ab", "abc", "x-ab", "sab", "axb", "a-xyz-b"])
})

test("ranges are of what was looked for", () => {
  assert.deepEqual(match("AB", "x-ab")?.spans, [[2, 4]])
  assert.deepEqual(match("xb", "axb")?.spans, [[1, 3]])
  assert.deepEqual(match("ab", "a-b")?.spans, [[0, 1], [2, 3]])
  assert.deepEqual(match("件", "😀文件")?.spans, [[3, 4]])
  assert.deepEqual(match("😀件", "文😀文件")?.spans, [[1, 3], [4, 5]])
  assert.equal(match("ba", "ab"), null)
  assert.deepEqual(match("", "ab"), { rank: 0, spans: [] })
})

test("a letter whose lower case is longer moves no range", () => {
  assert.deepEqual(match("x", "İx")?.spans, [[1, 2]])
})

test("without a query groups keep their order, with one the best comes first", () => {
  const hits = [{ name: "s", group: "system" }, { name: "c", group: "custom" }, { name: "t", group: "system" }] as const
  assert.deepEqual(grouped(hits, (hit) => hit.group, ["custom", "skill", "system"]).map(([group, all]) => [group, all.map((hit) => hit.name)]),
    [["custom", ["c"]], ["system", ["s", "t"]]])
  assert.deepEqual(grouped(hits, (hit) => hit.group, null).map(([group]) => group), ["system", "custom"])
})
