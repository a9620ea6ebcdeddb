import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyDraft, type Draft } from "../message.ts"
import { Recall, type Fetch, type Sent, type SentPage } from "./recall.ts"
import { readPage } from "./sent.ts"

const message = (text: string): Draft => ({ text, tags: [] })
const stored = (seq: number): Sent => ({ seq, requestId: `r${seq}`, message: message(`stored ${seq}`) })

/** A server that has sent so many messages, and gives them by 20. */
function server(count: number, asked: (number | null)[] = []): Fetch {
  return async (before) => {
    asked.push(before)
    const newest = (before ?? count + 1) - 1
    const messages = Array.from({ length: Math.min(20, newest) }, (_, i) => stored(newest - i))
    return { messages, more: newest > 20 }
  }
}

const up = (recall: Recall, fresh = false): string | undefined => recall.step(-1, fresh)?.text
const down = (recall: Recall): string | undefined => recall.step(1, false)?.text

test("this tab's messages come first, then the session's, and back down to the empty one", async () => {
  const recall = new Recall(server(2))
  await recall.prepare()
  recall.sent("a", message("one"))
  recall.sent("b", message("two"))
  assert.deepEqual([up(recall, true), up(recall), up(recall), up(recall)], ["two", "one", "stored 2", "stored 1"])
  assert.equal(recall.step(-1, false), null, "there is none before the first")
  assert.deepEqual([down(recall), down(recall), down(recall)], ["stored 2", "one", "two"])
  assert.equal(recall.step(1, false), emptyDraft)
  assert.equal(recall.step(1, false), null)
})

test("a message that was sent from here and is in the session is there once", async () => {
  const recall = new Recall(server(3))
  recall.sent("r3", message("stored 3"))
  await recall.prepare()
  assert.deepEqual([up(recall, true), up(recall), up(recall), recall.step(-1, false)], ["stored 3", "stored 2", "stored 1", null])
  recall.sent("r1", message("again"))
  assert.deepEqual([up(recall), up(recall), up(recall), recall.step(-1, false)], ["again", "stored 3", "stored 2", null])
})

test("an emptied message box begins at the newest again", async () => {
  const recall = new Recall(server(3))
  await recall.prepare()
  assert.deepEqual([up(recall, true), up(recall), up(recall, true)], ["stored 3", "stored 2", "stored 3"])
})

test("earlier pages are there before they are reached", async () => {
  const asked: (number | null)[] = []
  const recall = new Recall(server(45, asked))
  await recall.prepare()
  const seen: (string | undefined)[] = []
  for (let i = 0; i < 45; i++) {
    seen.push(up(recall, i === 0))
    await Promise.resolve()
  }
  assert.deepEqual(seen, Array.from({ length: 45 }, (_, i) => `stored ${45 - i}`))
  assert.deepEqual(asked, [null, 26, 6])
  assert.equal(recall.step(-1, false), null)
})

test("what arrives late does not move what is shown", async () => {
  let answer: (page: SentPage | null) => void = () => {}
  const recall = new Recall(() => new Promise((resolve) => (answer = resolve)))
  const prepared = recall.prepare()
  recall.sent("a", message("one"))
  assert.equal(up(recall, true), "one")
  answer({ messages: [stored(1)], more: false })
  await prepared
  assert.equal(recall.step(-1, false), null)
  assert.equal(recall.step(1, false), emptyDraft)
})

test("where nothing can be had this tab's messages are there", async () => {
  const recall = new Recall(async () => null)
  await recall.prepare()
  assert.equal(recall.step(-1, true), null)
  recall.sent("a", message("one"))
  assert.equal(up(recall, true), "one")
})

test("the server's list is read with its chips, without what is malformed", () => {
  const reference = { type: "reference", start: 0, end: 2, text: "@x", reference: { id: "x", serialized: "@x" } }
  assert.deepEqual(readPage({ messages: [{ seq: 7, requestId: "r", content: "@x", annotations: [reference] }, { seq: "8", content: "y" }, 5], more: true }), {
    messages: [{ seq: 7, requestId: "r", message: { text: "@x", tags: [{ id: "x", serialized: "@x", start: 0, end: 2 }] } }],
    more: true,
  })
  for (const json of [null, [], {}, { messages: {} }]) assert.equal(readPage(json), null)
})
