import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Words } from "../words.ts"
import { ConnectionLine } from "./connection.ts"

interface Line {
  className: string
  hidden: boolean
  textContent: string
}

function setUp(onLine = true): { line: Line; shown: ConnectionLine; clock: TestClock; said: string[] } {
  Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true })
  const line: Line = { className: "", hidden: false, textContent: "" }
  const dock = { ownerDocument: { createElement: () => line }, insertBefore: () => {} }
  const clock = new TestClock()
  const words = new Words({ reconnecting: "Reconnecting", offline: "Offline", deleted: "Deleted" })
  const said: string[] = []
  return { line, shown: new ConnectionLine(dock as unknown as Element, {} as Element, words, (text) => said.push(text), clock), clock, said }
}

const says = (line: Line): string => (line.hidden ? "" : line.textContent)

test("a connection that is soon back goes without a word", () => {
  const { line, shown, clock } = setUp()
  shown.show("waiting")
  clock.pass(1_000)
  shown.show("connecting")
  clock.pass(900)
  assert.equal(says(line), "")
  shown.show("open")
  clock.pass(60_000)
  assert.equal(says(line), "")
})

test("one that stays away is named, however often it is tried, until it is back", () => {
  const { line, shown, clock, said } = setUp()
  for (const state of ["waiting", "connecting", "waiting", "connecting"] as const) {
    shown.show(state)
    clock.pass(600)
  }
  assert.equal(says(line), "Reconnecting")
  shown.show("waiting")
  assert.equal(says(line), "Reconnecting")
  assert.deepEqual(said, ["Reconnecting"])
  shown.show("open")
  assert.equal(says(line), "")
  shown.show("waiting")
  clock.pass(1_900)
  assert.equal(says(line), "", "the next time begins anew")
})

test("without a network it says that, and a deleted session says so at once", () => {
  const { line, shown, clock } = setUp(false)
  shown.show("waiting")
  clock.pass(2_000)
  assert.equal(says(line), "Offline")
  shown.show("gone")
  assert.equal(says(line), "Deleted")
})

test("what was given back, or has a dialog of its own, is no outage", () => {
  for (const state of ["paused", "signed-out"] as const) {
    const { line, shown, clock } = setUp()
    shown.show("waiting")
    shown.show(state)
    clock.pass(60_000)
    assert.equal(says(line), "", state)
  }
})
