import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answer } from "../http.ts"
import { slowAfter } from "./outgoing.ts"
import { World } from "./testworld.ts"

const refused: Answer = { kind: "refused", status: 422, code: "blank", message: "words" }
const reused: Answer = { kind: "refused", status: 409, code: "request_id_reused", message: "words" }
const unknown: Answer = { kind: "unknown" }
const signedOut: Answer = { kind: "signed-out", code: "unauthorized", message: "" }

/** Whatever can happen next. Each move reports whether it was possible. */
const moves: Record<string, (w: World) => boolean> = {
  write: (w) => {
    if (w.texts.length >= 3 || !w.box.isEmpty()) return false
    w.type(`message ${w.texts.length + 1}.`)
    w.send()
    return true
  },
  "send what is in the box": (w) => {
    if (w.box.isEmpty() || w.texts.length >= 5) return false
    w.send()
    return true
  },
  type: (w) => {
    if (w.typed >= 3) return false
    w.type(`more ${w.typed + 1}.`)
    return true
  },
  "empty the box": (w) => {
    if (w.box.isEmpty() || !w.outgoing.list.some((s) => s.phase === "failed")) return false
    // Only what a row still shows may be deleted without being lost.
    const rows = w.outgoing.list.map((s) => s.message.text).join()
    if (!w.texts.every((text) => !w.box.draft.text.includes(text) || rows.includes(text))) return false
    w.box.draft = { text: "", tags: [] }
    w.outgoing.typed()
    return true
  },
  "the first is answered": (w) => answer(w, 0, (r) => w.arrive(r)),
  "the last is answered": (w) => answer(w, -1, (r) => w.arrive(r)),
  "the first arrives, its answer is under way": (w) => {
    const request = w.requests[0]
    if (!request || w.log.some((s) => s.requestId === request.s.requestId)) return false
    w.arrive(request)
    return true
  },
  "the first arrives, its answer is lost": (w) => answer(w, 0, (r) => (w.arrive(r), unknown)),
  "the first is lost": (w) => answer(w, 0, () => unknown),
  "the last is lost": (w) => answer(w, -1, () => unknown),
  "the first is refused": (w) => refuse(w, 0, refused),
  "the last is refused": (w) => refuse(w, -1, refused),
  "the first id is another's": (w) => refuse(w, 0, reused),
  "the first finds nobody signed in": (w) => refuse(w, 0, signedOut),
  "a row comes": (w) => {
    if (w.streamed >= w.log.length) return false
    w.stream()
    return true
  },
  "the queue comes": (w) => {
    if (w.waiting.length === 0) return false
    w.queue()
    return true
  },
  "a second passes": (w) => {
    if (w.clock.waiting === 0) return false
    w.clock.pass(slowAfter)
    return true
  },
  "the network is back": (w) => {
    if (!w.outgoing.list.some((s) => s.phase === "unconfirmed")) return false
    w.outgoing.nudge()
    return true
  },
  "signed in": (w) => {
    if (!w.signedOut) return false
    w.signedIn()
    return true
  },
  "a reload": (w) => reload(w, Infinity),
  "a reload of a long log": (w) => reload(w, 1),
  cancel: (w) => each(w, "pending", (id) => w.outgoing.cancel(id)),
  retry: (w) => each(w, "failed", (id) => w.outgoing.retry(id)),
  edit: (w) => each(w, "failed", (id) => w.outgoing.edit(id)),
}

type Request = World["requests"][number]

function answer(w: World, at: number, how: (request: Request) => Answer): boolean {
  const request = w.requests.at(at)
  if (!request || (at === -1 && w.requests.length < 2)) return false
  request.answer(how(request))
  return true
}

function reload(w: World, rows: number): boolean {
  if (w.reloads > 0) return false
  w.reload(rows)
  return true
}

/** A server that has taken a message never refuses it. */
function refuse(w: World, at: number, how: Answer): boolean {
  const request = w.requests.at(at)
  if (request && w.log.some((s) => s.requestId === request.s.requestId)) return false
  return answer(w, at, () => how)
}

function each(w: World, which: "pending" | "failed", f: (id: string) => void): boolean {
  const s = w.outgoing.list.find((one) => (which === "failed" ? one.phase === "failed" : one.phase !== "failed" && one.phase !== "accepted"))
  if (s) f(s.requestId)
  return s !== undefined
}

const names = Object.keys(moves)

/** Plays moves; false where one was not possible. */
function play(inSession: boolean, sequence: readonly string[], settle = true): boolean {
  const w = new World(inSession)
  try {
    for (const name of sequence) {
      if (!moves[name]!(w)) return false
      w.check()
    }
    if (settle) rest(w)
  } catch (error) {
    throw new Error(`after ${sequence.join(", ")}${inSession ? "" : " on the start page"}: ${(error as Error).message}`, { cause: error })
  }
  return true
}

/** Once all goes well, all that did not fail is in the log, and nothing waits. */
function rest(w: World): void {
  w.settle()
  for (const s of w.outgoing.list) assert.equal(s.phase, "failed", `${s.requestId} is ${s.phase}`)
  assert.equal(w.clock.waiting, 0)
  const ids = w.log.map((s) => s.requestId)
  assert.equal(new Set(ids).size, ids.length)
}

for (const [inSession, depth] of [[true, 6], [false, 5]] as const) {
  test(`every sequence of ${depth} moves ${inSession ? "in a session" : "on the start page"}`, () => {
    let played = 0
    const extend = (sequence: readonly string[]): void => {
      for (const name of names) {
        const longer = [...sequence, name]
        if (!play(inSession, longer, longer.length === depth)) continue
        played++
        if (longer.length < depth) extend(longer)
      }
    }
    extend(["write"])
    assert.ok(played > 1000, `${played} were played`)
  })
}

test("long sequences of moves, at random", () => {
  let state = 1
  const random = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0 // a fixed series, the same in every run
    return Math.floor((state / 2 ** 32) * n)
  }
  for (let run = 0; run < 3000; run++) {
    const w = new World(run % 2 === 0)
    const done: string[] = []
    try {
      for (let i = 0; i < 40; i++) {
        const name = names[random(names.length)]!
        if (!moves[name]!(w)) continue
        done.push(name)
        w.check()
      }
      rest(w)
    } catch (error) {
      throw new Error(`run ${run}, after ${done.join(", ")}: ${(error as Error).message}`, { cause: error })
    }
  }
})

/** Has a message's requests fail so often. */
function fail(w: World, times: number): void {
  for (let i = 0; i < times; i++) {
    w.requests[0]!.answer(unknown)
    if (i < times - 1) w.outgoing.nudge()
  }
}

test("what failed again and again is the first to leave once another one got through", () => {
  const w = new World()
  for (const text of ["one", "two", "three"]) {
    w.type(text)
    w.send()
  }
  fail(w, 3)
  assert.deepEqual(w.requests.map(({ s }) => s.message.text), ["two"])
  const [second] = w.requests
  second!.answer(w.arrive(second!))
  assert.deepEqual(w.requests.map(({ s }) => s.message.text), ["one"])
  rest(w)
  assert.deepEqual(w.log.map((s) => s.message.text), ["two", "one", "three"])
})

test("an answer ends the waiting, also for those that fail next", () => {
  const w = new World()
  w.type("one")
  w.send()
  fail(w, 8)
  w.outgoing.nudge()
  w.requests[0]!.answer(w.arrive(w.requests[0]!))
  w.type("two")
  w.send()
  fail(w, 1)
  assert.equal(w.requests.length, 0)
  w.clock.pass(250)
  assert.deepEqual(w.requests.map(({ s }) => s.message.text), ["two"])
})

test("a server that asks for time is given it, also when the network comes back", () => {
  const w = new World()
  w.type("one")
  w.send()
  w.requests[0]!.answer({ kind: "refused", status: 503, code: "unavailable", message: "", retryAfter: 2000 })
  w.outgoing.nudge()
  w.clock.pass(1999)
  assert.equal(w.requests.length, 0)
  rest(w)
})
