import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Presence } from "./presence.ts"
import { Stream } from "./stream.ts"
import type { Activity, Mark } from "./title.ts"

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate)
}

function setUp() {
  const clock = new TestClock()
  let requests = 0
  const stream = new Stream(
    { url: (after) => after, apply: () => {}, signIn: async () => {}, ahead: () => {}, changed: () => {} },
    "5",
    clock,
    () => {
      requests++
      return new Promise(() => {})
    },
  )
  const marks: Mark[] = []
  const asked: ((activity: Activity | null) => void)[] = []
  const activity = { running: true, asks: false, lastSeq: 5 }
  const presence = new Presence(
    stream,
    { activity: () => ({ ...activity }), ask: () => new Promise((answer) => asked.push(answer)), mark: (mark) => marks.push(mark) },
    clock,
  )
  stream.start()
  return { clock, stream, presence, marks, asked, activity, requests: () => requests }
}

test("a hidden tab gives its stream back after some seconds, and asks now and then", async () => {
  const { clock, stream, presence, marks, asked } = setUp()
  presence.hidden()
  clock.pass(4_900)
  assert.equal(stream.state, "connecting")
  clock.pass(200)
  assert.equal(stream.state, "paused")
  clock.pass(45_000)
  assert.equal(asked.length, 1)
  asked[0]!({ running: true, asks: true, lastSeq: 8 })
  await settled()
  assert.deepEqual(marks, ["asks"])
  clock.pass(45_000)
  assert.equal(asked.length, 2)
  asked[1]!({ running: false, asks: false, lastSeq: 9 })
  await settled()
  assert.deepEqual(marks, ["asks", "done"])
})

test("looked at again it catches up and asks no more", async () => {
  const { clock, stream, presence, marks, asked } = setUp()
  presence.hidden()
  clock.pass(60_000)
  assert.equal(asked.length, 1)
  presence.visible()
  assert.equal(stream.state, "connecting")
  asked[0]!({ running: false, asks: true, lastSeq: 9 })
  await settled()
  assert.deepEqual(marks, [""])
  clock.pass(600_000)
  assert.equal(asked.length, 1)
})

test("a glance away keeps the stream", () => {
  const { clock, presence, requests } = setUp()
  presence.hidden()
  clock.pass(3_000)
  presence.visible()
  clock.pass(10_000)
  assert.equal(requests(), 1)
})

test("what comes while hidden marks the title at once", () => {
  const { presence, marks, activity } = setUp()
  presence.changed()
  assert.deepEqual(marks, [])
  presence.hidden()
  activity.running = false
  presence.changed()
  assert.deepEqual(marks, ["done"])
})

test("a server that does not answer is asked again", async () => {
  const { clock, presence, marks, asked } = setUp()
  presence.left()
  clock.pass(45_000)
  asked[0]!(null)
  await settled()
  clock.pass(45_000)
  assert.equal(asked.length, 2)
  assert.deepEqual(marks, [])
})
