import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answer } from "../http.ts"
import { TestClock } from "../testclock.ts"
import { Elsewhere } from "./elsewhere.ts"
import type { Kept } from "./outbox.ts"
import type { Submission } from "./submission.ts"

interface Sent {
  readonly s: Submission
  readonly session: string | null
  answer(answer: Answer): void
}

function message(requestId: string): Kept {
  return { requestId, message: { text: requestId, tags: [] }, mode: "queue", reason: null }
}

/** An outbox with messages that nobody sends, and what becomes of them. */
function world(...entries: [string | null, Kept][]) {
  const outbox = new Map(entries.map(([session, kept]) => [kept.requestId, { session, kept }]))
  const sent: Sent[] = []
  const clock = new TestClock()
  const seen = { failed: 0 }
  const elsewhere = new Elsewhere({
    clock,
    newId: () => "fresh",
    signIn: () => new Promise<void>(() => {}),
    post: (s, session, done) => {
      const one = { s, session, answer: (answer: Answer) => done(answer) }
      sent.push(one)
      return () => {}
    },
    outbox: {
      left: async (except) => {
        const sessions = new Map<string | null, Kept[]>()
        for (const { session, kept } of outbox.values()) {
          if (session !== except && kept.reason === null) sessions.set(session, [...(sessions.get(session) ?? []), kept])
        }
        return sessions
      },
      leave: (kept, session) => void outbox.set(kept.requestId, { session, kept }),
      drop: (requestId) => void outbox.delete(requestId),
    },
    failed: () => void seen.failed++,
  })
  return { outbox, sent, clock, seen, elsewhere }
}

function accepted(session: string, seq?: number): Answer {
  return { kind: "ok", status: 201, json: { sessionId: session, requestId: "x", state: seq === undefined ? "queued" : "logged", seq } }
}

test("what waits for other sessions is sent in order, each session by itself", async () => {
  const { elsewhere, outbox, sent } = world(["a", message("a1")], ["b", message("b1")], ["a", message("a2")], ["shown", message("mine")])
  await elsewhere.send("shown")
  assert.deepEqual(sent.map(({ s }) => s.requestId), ["a1", "b1"])
  assert.deepEqual([...outbox.keys()], ["a1", "b1", "a2", "mine"], "kept until they have arrived")
  sent[0]!.answer(accepted("a", 7))
  sent[1]!.answer(accepted("b"))
  assert.deepEqual(sent.map(({ s }) => s.requestId), ["a1", "b1", "a2"])
  sent[2]!.answer(accepted("a"))
  assert.deepEqual([...outbox.keys()], ["mine"])
})

test("looking again sends nothing twice, and tries at once what had no answer", async () => {
  const { clock, elsewhere, outbox, sent } = world(["a", message("a1")])
  await elsewhere.send(null)
  await elsewhere.send(null)
  assert.equal(sent.length, 1)
  sent[0]!.answer({ kind: "unknown" })
  await elsewhere.send(null)
  assert.equal(sent.length, 2)
  sent[1]!.answer({ kind: "unknown" })
  clock.pass(60_000)
  assert.equal(sent.length, 3, "it is tried again by itself")
  assert.deepEqual(new Set(sent.map(({ s }) => s.requestId)), new Set(["a1"]))
  sent[2]!.answer(accepted("a"))
  assert.equal(outbox.size, 0)
})

test("a refused message stays for its session's page, with the reason", async () => {
  const { elsewhere, outbox, seen, sent } = world(["a", message("a1")])
  await elsewhere.send("shown")
  sent[0]!.answer({ kind: "refused", status: 422, code: "blank", message: "Say something." })
  assert.equal(seen.failed, 1)
  assert.deepEqual(outbox.get("a1"), { session: "a", kept: { ...message("a1"), reason: { code: "blank", message: "Say something." } } })
  await elsewhere.send("shown")
  assert.equal(sent.length, 1)
})

test("a first message begins its session, and those behind it follow there", async () => {
  const { elsewhere, outbox, sent } = world([null, message("n1")], [null, message("n2")])
  await elsewhere.send("shown")
  assert.deepEqual(sent.map(({ session }) => session), [null])
  sent[0]!.answer(accepted("begun", 1))
  assert.deepEqual(sent.map(({ session }) => session), [null, "begun"])
  assert.equal(outbox.get("n2")!.session, "begun")
  sent[1]!.answer(accepted("begun"))
  assert.equal(outbox.size, 0)
})
