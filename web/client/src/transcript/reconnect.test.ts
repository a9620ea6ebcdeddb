import assert from "node:assert/strict"
import { test } from "node:test"
import { frame, settled, setUp, type Peer } from "./testpeer.ts"

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
