import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answer } from "../http.ts"
import { CommandList, readCommands } from "./commands.ts"
import { addressOf } from "./get.ts"
import { hintFor } from "./hint.ts"

const offers = (...names: string[]): Answer => ({ kind: "ok", status: 200, json: { commands: names.map((name) => ({ name })) } })

/** A list whose server answers from a queue, with the addresses it was asked at. */
function listOf(answers: Answer[]) {
  const at = { session: null as string | null, now: 0, asked: [] as string[] }
  const list = new CommandList({
    url: "/commands", session: () => at.session, now: () => at.now,
    get: async (url) => {
      at.asked.push(url)
      return answers.shift() ?? assert.fail("asked too often")
    },
  })
  return { at, list, names: () => list.known?.map((one) => one.name) ?? null }
}

test("asked for once, and again when it is old; the old list is known meanwhile", async () => {
  const { at, list, names } = listOf([offers("a"), offers("b")])
  assert.equal(list.known, null)
  await Promise.all([list.load(), list.load()])
  assert.deepEqual([names(), list.fresh, at.asked], [["a"], true, ["/commands"]])
  at.now = 30_000
  assert.deepEqual([names(), list.fresh], [["a"], false])
  await list.load()
  assert.deepEqual([names(), list.fresh], [["b"], true])
})

test("another session's commands are not known, and its answer does not count", async () => {
  const { at, list, names } = listOf([offers("home"), offers("own")])
  const late = list.load()
  at.session = "s 1"
  await late
  assert.equal(names(), null)
  await list.load()
  assert.deepEqual([names(), at.asked], [["own"], ["/commands", "/commands?session=s+1"]])
})

test("what goes wrong is told and changes nothing", async () => {
  const bad: Answer = { kind: "ok", status: 200, json: { commands: "none" } }
  const { list, names } = listOf([offers("a"), { kind: "unknown" }, { kind: "signed-out", code: "", message: "" }, bad])
  assert.equal(await list.load(), null)
  assert.equal(await list.load(), "failed")
  assert.equal(await list.load(), "signed-out")
  assert.equal(await list.load(), "failed")
  assert.deepEqual(names(), ["a"])
})

test("commands that cannot be written are left out, of two with a name the first counts", () => {
  const read = readCommands({ commands: [{ name: "a", argumentHint: "X" }, { name: "a" }, { name: "two words" }, { name: "/b" }, { name: "" }, { name: 5 }, null, { name: "提交" }] })
  assert.deepEqual(read, [{ name: "a", argumentHint: "X" }, { name: "提交" }])
  for (const json of [null, [], {}, { commands: {} }]) assert.equal(readCommands(json), null)
})

test("the hint stands behind a command and its space, and nowhere else", () => {
  const commands = [{ name: "slow", argumentHint: "SECONDS" }, { name: "git", argumentHint: "ARGS", subcommands: ["add", "remote add"] }, { name: "ask" }]
  for (const text of ["/git ", "/git add ", "/git remote add "]) assert.equal(hintFor(text, commands), "ARGS")
  assert.equal(hintFor("/slow ", commands), "SECONDS")
  for (const text of ["", "/slow", "/slow  ", "/slow 5", "/slow 5 ", " /slow ", "/ask ", "/nothing ", "/git push "]) assert.equal(hintFor(text, commands), "")
})

test("what is null is left out of an address, all else is escaped", () => {
  assert.equal(addressOf("/mentions", { q: "a&b=文\\ ", session: null }), "/mentions?q=a%26b%3D%E6%96%87%5C+")
  assert.equal(addressOf("/c?x=1", { session: "s" }), "/c?x=1&session=s")
  assert.equal(addressOf("/c", { session: null }), "/c")
})
