import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Stream, type StreamState } from "./stream.ts"

const sse = { "Content-Type": "text/event-stream; charset=utf-8" }
const encoder = new TextEncoder()

/** One connection, as the server sees it. */
class Peer {
  readonly after: string
  readonly headers: Headers
  readonly signal: AbortSignal
  readonly #answer: (response: Response) => void
  readonly #fail: (error: unknown) => void
  #body!: ReadableStreamDefaultController<Uint8Array>

  constructor(url: string, init: RequestInit, answer: (response: Response) => void, fail: (error: unknown) => void) {
    this.after = new URL(url, "http://test").searchParams.get("after") ?? ""
    this.headers = new Headers(init.headers)
    this.signal = init.signal as AbortSignal
    this.#answer = answer
    this.#fail = fail
    this.signal.addEventListener("abort", () => {
      fail(new DOMException("aborted", "AbortError"))
      try {
        this.#body?.error(new DOMException("aborted", "AbortError"))
      } catch {
        // It has ended before.
      }
    })
  }

  async open(): Promise<void> {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#body = controller) })
    this.#answer(new Response(body, { headers: sse }))
    await settled()
  }

  async send(text: string | Uint8Array): Promise<void> {
    this.#body.enqueue(typeof text === "string" ? encoder.encode(text) : text)
    await settled()
  }

  async end(): Promise<void> {
    this.#body.close()
    await settled()
  }

  async refuse(status: number, body: string, headers: Record<string, string> = { "Content-Type": "application/json" }): Promise<void> {
    this.#answer(new Response(body, { status, headers }))
    await settled()
  }

  async answer(response: Response): Promise<void> {
    this.#answer(response)
    await settled()
  }

  async break(): Promise<void> {
    this.#fail(new TypeError("network"))
    await settled()
  }
}

/** Lets everything that waits for nothing from outside happen. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
}

function frame(id: string, data: string, event = "row"): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}

function setUp(cursor = "5") {
  const clock = new TestClock()
  const peers: Peer[] = []
  const applied: string[] = []
  const batches: number[] = []
  const states: StreamState[] = []
  const signIns: (() => void)[] = []
  let ahead = 0
  const stream = new Stream(
    {
      url: (after) => `/stream?after=${after}`,
      apply: (frames) => {
        batches.push(frames.length)
        applied.push(...frames.map((f) => `${f.event}:${f.data}`))
      },
      signIn: () => new Promise((resolve) => signIns.push(resolve)),
      ahead: () => void ahead++,
      changed: (state) => states.push(state),
    },
    cursor,
    clock,
    (url, init) => new Promise((answer, fail) => peers.push(new Peer(String(url), init ?? {}, answer, fail))),
  )
  const last = (): Peer => peers.at(-1) as Peer
  /** Waits for the next try, and says how long that was. */
  const nextTry = (): number => {
    const begun = clock.now()
    for (const count = peers.length; peers.length === count; ) clock.pass(25)
    return clock.now() - begun
  }
  return { clock, peers, applied, batches, states, signIns, stream, last, nextTry, aheads: () => ahead }
}

test("it goes on from the page's cursor, then from the ids", async () => {
  const { stream, last, applied, clock, peers } = setUp("5")
  stream.start()
  assert.equal(last().after, "5")
  await last().open()
  await last().send(": open\n\n" + frame("6", "a") + frame("6.2", "b", "part"))
  assert.deepEqual(applied, ["row:a", "part:b"])
  assert.equal(stream.cursor, "6.2")
  await last().end()
  clock.pass(250)
  assert.equal(peers.length, 2)
  assert.equal(last().after, "6.2")
})

test("what is at or before the cursor is ignored", async () => {
  const { stream, last, applied } = setUp("7.3")
  stream.start()
  await last().open()
  await last().send(frame("6", "old") + frame("7", "old") + frame("7.2", "old") + frame("7.3", "old") + frame("7.4", "new") + frame("8", "newer"))
  assert.deepEqual(applied, ["row:new", "row:newer"])
})

test("cursors are ordered as pairs of numbers", async () => {
  const { stream, last, applied } = setUp("9.9")
  stream.start()
  await last().open()
  await last().send(frame("9.10", "tenth piece") + frame("10", "tenth event"))
  assert.deepEqual(applied, ["row:tenth piece", "row:tenth event"])
})

test("a gap is fetched again from the cursor", async () => {
  const { stream, last, applied, clock, peers } = setUp("5")
  stream.start()
  await last().open()
  await last().send(frame("6", "six") + frame("8", "eight"))
  assert.deepEqual(applied, ["row:six"])
  clock.pass(250)
  assert.equal(peers.length, 2)
  assert.equal(last().after, "6")
  await last().open()
  await last().send(frame("7", "seven") + frame("8", "eight"))
  assert.deepEqual(applied, ["row:six", "row:seven", "row:eight"])
})

test("pieces of a block after an event that never came are a gap", async () => {
  const { stream, last, applied, clock } = setUp("5")
  stream.start()
  await last().open()
  await last().send(frame("6.1", "piece"))
  assert.deepEqual(applied, [])
  clock.pass(250)
  assert.equal(last().after, "5")
})

test("the frames of one event come together, whatever the network's pieces", async () => {
  const { stream, last, applied, batches, clock } = setUp("5")
  stream.start()
  await last().open()
  await last().send("event: row\ndata: one\n\neve")
  assert.deepEqual(applied, [])
  await last().send("nt: queue\ndata: two\n\nid: 6\nevent: status\ndata: three\n")
  assert.deepEqual(applied, [])
  await last().send("\n" + frame("7", "four"))
  assert.deepEqual(batches, [4])
  await last().send("event: row\ndata: cut off\n\n")
  await last().end()
  clock.pass(250)
  assert.equal(last().after, "7")
  assert.deepEqual(applied, ["row:one", "queue:two", "status:three", "row:four"])
})

test("the queue belongs to no event: it is shown at once and moves no cursor", async () => {
  const { stream, last, applied } = setUp("5")
  stream.start()
  await last().open()
  await last().send("event: queue\ndata: waiting\n\n")
  assert.deepEqual(applied, ["queue:waiting"])
  assert.equal(stream.cursor, "5")
  await last().send(frame("6", "row") + "event: queue\ndata: nothing\n\n")
  assert.deepEqual(applied, ["queue:waiting", "row:row", "queue:nothing"])
})

test("text is put together across pieces, also inside a character", async () => {
  const { stream, last, applied } = setUp("5")
  stream.start()
  await last().open()
  for (const byte of encoder.encode(frame("6", "\u{1F600}中"))) await last().send(Uint8Array.of(byte))
  assert.deepEqual(applied, ["row:\u{1F600}中"])
})

test("a stale connection's late words are discarded", async () => {
  const { stream, peers, applied } = setUp("5")
  stream.start()
  const stale = peers[0] as Peer
  await stale.open()
  stream.pause()
  stream.start()
  const fresh = peers[1] as Peer
  await fresh.open()
  await fresh.send(frame("6", "fresh"))
  await assert.rejects(stale.send(frame("6", "stale") + frame("7", "stale")))
  assert.deepEqual(applied, ["row:fresh"])
  assert.ok(stale.signal.aborted)
})

test("tries again at once, then ever more rarely, up to half a minute", async () => {
  const { stream, last, nextTry } = setUp()
  stream.start()
  const waits: number[] = []
  for (let i = 0; i < 10; i++) {
    await last().break()
    waits.push(nextTry())
  }
  assert.ok((waits[0] as number) <= 250, `first after ${waits[0]}`)
  assert.ok((waits[1] as number) >= 250)
  for (let i = 2; i < waits.length; i++) assert.ok((waits[i] as number) >= (waits[i - 1] as number), `${waits}`)
  assert.ok((waits[9] as number) <= 30_000)
  assert.ok((waits[9] as number) >= 15_000)
})

test("a stream that brought something begins anew with quick tries", async () => {
  const { stream, last, clock, peers, nextTry } = setUp()
  stream.start()
  for (let i = 0; i < 6; i++) {
    await last().break()
    nextTry()
  }
  await last().open()
  await last().send(frame("6", "a"))
  await last().end()
  const count = peers.length
  clock.pass(250)
  assert.equal(peers.length, count + 1)
})

test("one that opens and ends at once does not", async () => {
  const { stream, last, clock, peers, nextTry } = setUp()
  stream.start()
  for (let i = 0; i < 6; i++) {
    await last().open()
    await last().send("event: queue\ndata: nothing\n\n")
    await last().end()
    nextTry()
  }
  await last().open()
  await last().end()
  const count = peers.length
  clock.pass(2_000)
  assert.equal(peers.length, count)
})

test("one that was long open is lost for the first time, though nothing happened in it", async () => {
  const { stream, last, clock, peers, nextTry } = setUp()
  stream.start()
  for (let i = 0; i < 8; i++) {
    await last().open()
    for (let comments = 0; comments < 3; comments++) {
      clock.pass(15_000)
      await last().send(": ping\n\n")
    }
    await last().end()
    if (i < 7) nextTry()
  }
  const count = peers.length
  clock.pass(250)
  assert.equal(peers.length, count + 1)
})

test("honours Retry-After, also when somebody looks", async () => {
  const { stream, last, clock, peers } = setUp()
  stream.start()
  await last().refuse(503, "{}", { "Content-Type": "application/json", "Retry-After": "7" })
  clock.pass(6_900)
  stream.nudge()
  stream.nudge(true)
  assert.equal(peers.length, 1)
  clock.pass(700)
  assert.equal(peers.length, 2)
})

test("looking at the page ends the wait", async () => {
  const { stream, last, peers, nextTry } = setUp()
  stream.start()
  for (let i = 0; i < 8; i++) {
    await last().break()
    nextTry()
  }
  await last().break()
  const count = peers.length
  stream.nudge()
  assert.equal(peers.length, count + 1)
})

test("forty seconds of silence end a connection, comments keep it", async () => {
  const { stream, last, clock, peers } = setUp("5")
  stream.start()
  await last().open()
  for (let i = 0; i < 10; i++) {
    clock.pass(15_000)
    await last().send(": ping\n\n")
  }
  assert.equal(peers.length, 1)
  clock.pass(39_000)
  assert.equal(peers.length, 1)
  clock.pass(1_250)
  await settled()
  assert.equal(peers.length, 2)
  assert.ok((peers[0] as Peer).signal.aborted)
  assert.equal(last().after, "5")
})

test("an answer that never begins is given up", async () => {
  const { stream, clock, peers } = setUp()
  stream.start()
  clock.pass(20_250)
  await settled()
  assert.equal(peers.length, 2)
})

test("a silent connection is replaced when somebody looks, a lively one is kept", async () => {
  const { stream, last, clock, peers } = setUp()
  stream.start()
  await last().open()
  clock.pass(5_000)
  stream.nudge()
  assert.equal(peers.length, 1)
  clock.pass(20_000)
  stream.nudge()
  assert.equal(peers.length, 2)
  await last().open()
  stream.nudge(true) // the network changed
  assert.equal(peers.length, 3)
})

for (const [name, answer] of Object.entries<() => Response>({
  "401": () => new Response('{"error":{"code":"unauthorized"}}', { status: 401, headers: { "Content-Type": "application/json" } }),
  "a redirect": () => Object.defineProperty(new Response(null, { status: 200 }), "type", { value: "opaqueredirect" }),
  "a page": () => new Response("<!DOCTYPE html>", { headers: { "Content-Type": "text/html" } }),
})) {
  test(`${name} asks to sign in, and goes on from the cursor`, async () => {
    const { stream, last, signIns, clock, peers, applied } = setUp("5")
    stream.start()
    await last().open()
    await last().send(frame("6", "before"))
    await last().end()
    clock.pass(250)
    await last().answer(answer())
    assert.equal(stream.state, "signed-out")
    assert.equal(signIns.length, 1)
    clock.pass(600_000)
    stream.nudge(true)
    assert.equal(peers.length, 2)
    ;(signIns[0] as () => void)()
    await settled()
    assert.equal(peers.length, 3)
    assert.equal(last().after, "6")
    await last().open()
    await last().send(frame("7", "after"))
    assert.deepEqual(applied, ["row:before", "row:after"])
  })
}

test("a proxy's page with an error is an outage", async () => {
  const { stream, last, signIns, peers, nextTry } = setUp()
  stream.start()
  for (const status of [404, 409, 500, 502, 504]) {
    await last().refuse(status, "<html>Bad gateway", { "Content-Type": "text/html" })
    assert.equal(stream.state, "waiting", String(status))
    nextTry()
  }
  assert.equal(signIns.length, 0)
  assert.equal(peers.length, 6)
})

test("a deleted session ends it", async () => {
  const { stream, last, clock, peers, states } = setUp()
  stream.start()
  await last().refuse(404, '{"error":{"code":"not_found","message":""}}')
  assert.equal(states.at(-1), "gone")
  clock.pass(600_000)
  stream.nudge(true)
  stream.start()
  assert.equal(peers.length, 1)
})

test("a log of another past has the page loaded anew", async () => {
  const { stream, last, aheads, clock, peers } = setUp()
  stream.start()
  await last().refuse(409, '{"error":{"code":"cursor_ahead","message":""}}')
  assert.equal(aheads(), 1)
  clock.pass(600_000)
  assert.equal(peers.length, 1)
})

test("paused it holds no connection and no timer, and comes back where it was", async () => {
  const { stream, last, clock, peers } = setUp("5")
  stream.start()
  await last().open()
  await last().send(frame("6", "a"))
  stream.pause()
  await settled()
  assert.ok((peers[0] as Peer).signal.aborted)
  assert.equal(clock.waiting, 0)
  clock.pass(3_600_000)
  stream.nudge(true)
  assert.equal(peers.length, 1)
  stream.start()
  assert.equal(last().after, "6")
})

test("an id that is no cursor is no stream of ours", async () => {
  const { stream, last, applied } = setUp()
  stream.start()
  await last().open()
  await last().send(frame("6 or so", "a"))
  assert.deepEqual(applied, [])
  assert.equal(stream.state, "waiting")
})
