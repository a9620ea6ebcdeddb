import assert from "node:assert/strict"
import { test } from "node:test"
import vectors from "../../../../internal/mention/testdata/escape.json"
import { unescape } from "./escape.ts"
import { commandIn, maxQuery, mentionIn, subcommandIn } from "./trigger.ts"

for (const [before, query] of [
  ["@", ""], ["@mak", "mak"], ["see @mak", "mak"], ["see\t@", ""], ["see\u3000@x", "x"],
  ["(@x", "x"], ["[@x", "x"], ["{@x", "x"], ["“@x", "x"], ["「@x", "x"], ["«@x", "x"], ["\"@x", "x"], ["'@x", "x"], ["`@x", "x"],
  ["看@文", "文"], ["看，@x", "x"], ["読む@x", "x"], ["보기@x", "x"], ["อ่าน@x", "x"], ["＠x", "x"],
  ["😀@x", "x"], ["👩‍👩‍👧@x", "x"], ["👍🏽@x", "x"], ["🇩🇪@x", "x"], ["☎️@x", "x"],
  ["@a\\ b", "a\\ b"], ["@a\\\\", "a\\\\"], ["@src/文 件".replace(" ", "\\ "), "src/文\\ 件"],
  ["@node_modules/@types", "node_modules/@types"], ["@icon@2x", "icon@2x"],
  ["看@a和@b", "b"], ["@a\\\\ @b", "b"], ["@a\ufeffb", "a\ufeffb"],
] as const) {
  test(`a reference: ${JSON.stringify(before)}`, () => {
    assert.deepEqual(mentionIn(before, true), { at: before.length - query.length - 1, query })
  })
}

for (const before of [
  "", "mak", "a@b", "me.x@example.org", "1@2", "a_@b", "a-@b", "a+@b", "é@x", "я@x", "x/@y", ")@x", "”@x",
  "@a b", "@a\u00a0b", "@a\u0085b", "@a\\\\ b", "@ ", "see @mak and",
]) {
  test(`no reference: ${JSON.stringify(before)}`, () => assert.equal(mentionIn(before, true), null))
}

test("the middle of a text is no start", () => {
  assert.equal(mentionIn("@x", false), null)
  assert.deepEqual(mentionIn(" @x", false), { at: 1, query: "x" })
})

test("a longer text than a chip may cover is no search", () => {
  assert.notEqual(mentionIn("@" + "x".repeat(maxQuery), true), null)
  assert.equal(mentionIn("@" + "x".repeat(maxQuery + 1), true), null)
})

test("commands", () => {
  for (const [before, query] of [["/", ""], ["/slow", "slow"], ["／", ""], ["、思", "思"]] as const) {
    assert.deepEqual(commandIn(before), { at: 0, query })
  }
  for (const before of ["", " /", "a/b", "/slow 5", "/slow\u3000"]) assert.equal(commandIn(before), null)
})

test("subcommands", () => {
  assert.deepEqual(subcommandIn("/git "), { name: "git", at: 5, query: "" })
  assert.deepEqual(subcommandIn("/git 提交"), { name: "git", at: 5, query: "提交" })
  for (const before of ["/git", "/git  x", "/git a b", "git a", " /git a"]) assert.equal(subcommandIn(before), null)
})

for (const { path, escaped } of vectors) {
  test(`the server's escaped form is one query: ${JSON.stringify(escaped)}`, () => {
    assert.deepEqual(mentionIn(`see @${escaped}`, true), { at: 4, query: escaped })
    assert.equal(unescape(escaped), path)
  })
}
