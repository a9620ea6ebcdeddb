import assert from "node:assert/strict"
import { test } from "node:test"
import { encoder, frame, setUp, type Peer } from "./testpeer.ts"

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

test("an id that is no cursor is no stream of ours", async () => {
  const { stream, last, applied } = setUp()
  stream.start()
  await last().open()
  await last().send(frame("6 or so", "a"))
  assert.deepEqual(applied, [])
  assert.equal(stream.state, "waiting")
})
