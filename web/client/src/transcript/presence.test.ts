import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Presence } from "./presence.ts"
import type { Channel } from "./share.ts"
import { Stream } from "./stream.ts"
import type { Activity, Mark } from "./title.ts"

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate)
}

/** The response of a stream that has caught up: the queue as it is. */
const caughtUp = (): Response =>
  new Response(
    new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode("event: queue\ndata: nothing\n\n")) }),
    { headers: { "Content-Type": "text/event-stream" } },
  )

function setUp(answer: () => Promise<Response> = () => new Promise(() => {})) {
  const clock = new TestClock()
  let requests = 0
  const stream = new Stream(
    { url: (after) => after, apply: () => presence.changed(), signIn: async () => {}, ahead: () => {}, changed: () => {} },
    "5",
    clock,
    () => {
      requests++
      return answer()
    },
  )
  const marks: Mark[] = []
  const asked: ((activity: Activity | null) => void)[] = []
  const activity = { running: true, asks: false, lastSeq: 5 }
  const channel: Channel = { postMessage: () => {}, onmessage: null }
  const presence: Presence = new Presence(
    stream,
    { activity: () => ({ ...activity }), ask: () => new Promise((answer) => asked.push(answer)), mark: (mark) => marks.push(mark) },
    clock,
    channel,
  )
  /** Other tabs are looked at. */
  const others = (...tabs: string[]): void => {
    for (const tab of tabs) channel.onmessage?.({ data: { kind: "here", tab, looked: Date.now() + 60_000 } })
  }
  stream.start()
  presence.visible()
  marks.length = 0
  return { clock, others, stream, presence, marks, asked, activity, requests: () => requests }
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

test("where other tabs need the connections, it catches up every few seconds", async () => {
  const { clock, stream, presence, others, requests } = setUp(() => Promise.resolve(caughtUp()))
  await settled()
  assert.equal(stream.state, "open")
  others("a", "b", "c")
  clock.pass(300)
  assert.equal(stream.state, "paused")
  clock.pass(4_500)
  assert.equal(requests(), 2)
  await settled()
  for (let i = 0; i < 10; i++) presence.changed() // an answer that grows keeps it no longer
  clock.pass(300)
  assert.equal(stream.state, "paused")
})

test("with room again it holds its stream", async () => {
  const { clock, stream, others, requests } = setUp(() => Promise.resolve(caughtUp()))
  await settled()
  others("a", "b", "c")
  clock.pass(300)
  assert.equal(stream.state, "paused")
  clock.pass(30_000) // the others died
  await settled()
  clock.pass(10_000)
  await settled()
  const count = requests()
  clock.pass(20_000)
  assert.equal(stream.state, "open")
  assert.equal(requests(), count)
})
