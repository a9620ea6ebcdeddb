import assert from "node:assert/strict"
import { test } from "node:test"
import { isPending, patience, step, submitted, type Happening, type Phase, type Submission } from "./submission.ts"

const fresh = submitted("id", { text: "hello", tags: [] }, 0, "transcript")
const reason = { code: "blank", message: "words" }

/** Every happening, with the answers belonging to the request under way and to the one before it. */
function happenings(s: Submission): Happening[] {
  const answers = [s.attempt, s.attempt - 1].flatMap((attempt): Happening[] => [
    { type: "slow", attempt },
    { type: "unknown", attempt },
    { type: "refused", attempt, status: 422, reason, freshId: "fresh" },
    { type: "refused", attempt, status: 503, reason: { code: "unavailable", message: "" }, freshId: "fresh" },
    { type: "refused", attempt, status: 409, reason: { code: "request_id_reused", message: "" }, freshId: "fresh" },
    { type: "signed-out", attempt },
  ])
  const others: Happening[] = [
    { type: "left" }, { type: "accepted", state: "logged" }, { type: "accepted", state: "queued" },
    { type: "signed-in" }, { type: "due" }, { type: "row" }, { type: "queued" }, { type: "cancel" },
    { type: "retry", place: "queue" }, { type: "taken" },
  ]
  return [...answers, ...others]
}

const known = (s: Submission): boolean => s.phase === "accepted" || s.phase === "shown"

/** What must hold of every happening to every message. */
function check(s: Submission, e: Happening, next: Submission): void {
  const what = `${JSON.stringify(s)} and ${JSON.stringify(e)} give ${JSON.stringify(next)}`
  const is = (condition: boolean): void => assert.ok(condition, what)
  is(next.message === s.message && next.order === s.order)
  is(s.phase !== "gone" || next === s)
  is(!known(s) || known(next)) // what the server has is never in doubt again
  is((next.phase === "failed" || next.phase === "gone") === (next.reason !== undefined))
  is(next.requestId === s.requestId || (e.type === "refused" && e.reason.code === "request_id_reused" && next.phase === "failed"))
  is(next.attempt === s.attempt || (e.type === "left" && next.attempt === s.attempt + 1 && s.phase === "waiting"))
  if (e.type === "row" && s.phase !== "gone") is(next.phase === "shown" && next.place === "transcript")
  if (e.type === "accepted" && s.phase !== "gone") is(known(next))
  if (e.type === "cancel" && isPending(s)) is(next.phase === "failed")
  if ("attempt" in e && e.attempt !== s.attempt) is(next === s) // a late answer changes nothing
  if (next.phase === "failed" && s.phase !== "failed") is(e.type === "cancel" || e.type === "refused")
  if (next.phase === "gone" && s.phase !== "gone") is(s.phase === "failed" && e.type === "taken")
}

test("whatever befalls a message in whatever order, it is lost never and doubted no more once it is known", () => {
  const seen = new Set<string>()
  const phases = new Set<Phase>()
  let steps = 0
  const visit = (s: Submission): void => {
    // Counters beyond what decides anything only repeat.
    const key = JSON.stringify({ ...s, attempt: Math.min(s.attempt, 3), failures: Math.min(s.failures, patience) })
    if (seen.has(key) || s.attempt > patience + 2) return
    seen.add(key)
    phases.add(s.phase)
    for (const e of happenings(s)) {
      const next = step(s, e)
      steps++
      check(s, e, next)
      visit(next)
    }
  }
  visit(fresh)
  assert.equal(phases.size, 8, [...phases].join())
  assert.ok(steps > 1000, `${steps} steps`)
})

const after = (...all: Happening[]): Submission => all.reduce(step, fresh)

test("an answer that nobody gave is asked for again, under the same id", () => {
  const s = after({ type: "left" }, { type: "unknown", attempt: 1 })
  assert.equal(s.phase, "unconfirmed")
  const again = step(step(s, { type: "due" }), { type: "left" })
  assert.deepEqual([again.phase, again.attempt, again.requestId], ["sending", 2, "id"])
})

test("not now is an answer only in the end", () => {
  let s = fresh
  for (let attempt = 1; attempt <= patience; attempt++) {
    assert.equal(s.phase, attempt === 1 ? "waiting" : "unconfirmed")
    s = step(step(s, { type: "due" }), { type: "left" })
    s = step(s, { type: "refused", attempt, status: 503, reason: { code: "unavailable", message: "later" }, freshId: "fresh" })
  }
  assert.deepEqual([s.phase, s.reason], ["failed", { code: "unavailable", message: "later" }])
})

test("an id that belongs to another message is given up at once", () => {
  const s = after({ type: "left" }, { type: "refused", attempt: 1, status: 409, reason: { code: "request_id_reused", message: "" }, freshId: "fresh" })
  assert.deepEqual([s.phase, s.requestId], ["failed", "fresh"])
  assert.equal(after({ type: "left" }, { type: "refused", attempt: 1, status: 409, reason: { code: "queue_full", message: "" }, freshId: "fresh" }).requestId, "id")
})

test("a message that was cancelled and shows up all the same is not failed", () => {
  const cancelled = after({ type: "left" }, { type: "cancel" })
  assert.equal(cancelled.phase, "failed")
  assert.equal(step(cancelled, { type: "row" }).phase, "shown")
  assert.equal(step(cancelled, { type: "queued" }).phase, "shown")
  assert.equal(step(cancelled, { type: "refused", attempt: 1, status: 422, reason, freshId: "" }), cancelled)
})

test("the answer says where a message stands, the log has the last word", () => {
  const queued = after({ type: "left" }, { type: "accepted", state: "queued" })
  assert.deepEqual([queued.phase, queued.place], ["accepted", "queue"])
  const row = step(step(queued, { type: "queued" }), { type: "row" })
  assert.deepEqual([row.phase, row.place], ["shown", "transcript"])
  assert.equal(step(row, { type: "accepted", state: "queued" }), row)
  assert.equal(step(row, { type: "queued" }), row)
})
