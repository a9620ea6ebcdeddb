import assert from "node:assert/strict"
import { test } from "node:test"
import type { Answer } from "../http.ts"
import { emptyDraft, type Draft } from "../message.ts"
import { TestClock } from "../testclock.ts"
import { atTheLatest, calm, DraftSlot, type DraftHost } from "./draftslot.ts"

const ok: Answer = { kind: "ok", status: 204, json: null }

class World implements DraftHost {
  readonly clock = new TestClock()
  draft: Draft = emptyDraft
  requests: { text: string; keepalive: boolean; answer(answer: Answer): void }[] = []
  /** What the server has, as it arrived. */
  stored: string[] = []
  signIns: (() => void)[] = []
  readonly slot: DraftSlot

  constructor(stored: Draft | null = emptyDraft) {
    this.slot = new DraftSlot(stored, this)
  }

  read(): Draft {
    return this.draft
  }

  put({ text }: Draft, keepalive: boolean, done: (answer: Answer) => void): () => void {
    const request = {
      text,
      keepalive,
      answer: (answer: Answer): void => {
        this.requests = this.requests.filter((other) => other !== request)
        if (answer.kind === "ok") this.stored.push(text)
        done(answer)
      },
    }
    this.requests.push(request)
    return () => void (this.requests = this.requests.filter((other) => other !== request))
  }

  signIn(): PromiseLike<void> {
    return { then: (f: () => void) => void this.signIns.push(f) } as unknown as PromiseLike<void>
  }

  type(text: string): void {
    this.draft = { text, tags: [] }
    this.slot.changed()
  }

  send(): void {
    this.draft = emptyDraft
    this.slot.save()
  }

  /** Lets everything succeed until nothing is left to do. */
  settle(): void {
    for (let i = 0; i < 50; i++) {
      if (this.requests[0]) this.requests[0].answer(ok)
      else if (this.signIns.length > 0) this.signIns.shift()!()
      else if (this.clock.waiting > 0) this.clock.pass(60_000)
      else return
    }
    assert.fail("it does not come to rest")
  }
}

const texts = (w: World): string[] => w.requests.map((request) => request.text)

test("what is typed is stored once the hands rest", () => {
  const w = new World()
  w.type("h")
  w.clock.pass(calm - 1)
  w.type("he")
  w.clock.pass(calm - 1)
  assert.deepEqual(texts(w), [])
  w.clock.pass(1)
  assert.deepEqual(texts(w), ["he"])
})

test("and now and then while they do not", () => {
  const w = new World()
  for (let passed = 0; passed < atTheLatest; passed += 100) {
    w.type("x".repeat(passed / 100 + 1))
    w.clock.pass(100)
  }
  assert.equal(w.requests.length, 1)
})

test("one version after the other: what was sent is never brought back", () => {
  const w = new World()
  w.type("hello")
  w.clock.pass(calm)
  w.send()
  assert.deepEqual(texts(w), ["hello"], "the late one is still under way")
  w.requests[0]!.answer(ok)
  assert.deepEqual(texts(w), [""])
  w.settle()
  assert.deepEqual(w.stored, ["hello", ""])
})

test("what was typed and sent before it was stored is no request at all", () => {
  const w = new World()
  w.type("hello")
  w.send()
  w.settle()
  assert.deepEqual(w.stored, [])
})

test("what the page was drawn with is known, and cleared when it is sent", () => {
  const draft = { text: "from yesterday", tags: [] }
  const w = new World(draft)
  w.draft = draft
  w.slot.changed()
  w.settle()
  assert.deepEqual(w.stored, [])
  w.send()
  w.settle()
  assert.deepEqual(w.stored, [""])
})

test("a page that goes leaves the newest version behind", () => {
  const w = new World()
  w.type("one")
  w.clock.pass(calm)
  w.type("two")
  w.slot.leave()
  assert.deepEqual(w.requests.map(({ text, keepalive }) => [text, keepalive]), [["two", true]])
  assert.ok(!w.slot.isStored())
  const [request] = w.requests
  w.slot.leave()
  assert.deepEqual(w.requests, [request], "the same again is not sent again")
  w.settle()
  assert.ok(w.slot.isStored())
  w.slot.leave()
  assert.deepEqual(texts(w), [], "what is stored is not stored again")
})

test("a failure is quiet and tried again, with what is there by then", () => {
  const w = new World()
  w.type("one")
  w.clock.pass(calm)
  w.requests[0]!.answer({ kind: "unknown" })
  w.type("two")
  w.settle()
  assert.deepEqual(w.stored, ["two"])
})

test("the network being back is reason enough to try", () => {
  const w = new World()
  w.type("one")
  w.clock.pass(calm)
  for (let i = 0; i < 6; i++) {
    w.requests[0]!.answer({ kind: "unknown" })
    if (i < 5) w.clock.pass(60_000)
  }
  assert.deepEqual(texts(w), [])
  w.slot.nudge()
  assert.deepEqual(texts(w), ["one"])
})

test("signed out, what is written waits for the sign-in", () => {
  const w = new World()
  w.type("one")
  w.clock.pass(calm)
  w.requests[0]!.answer({ kind: "signed-out", code: "unauthorized", message: "" })
  w.type("two")
  w.slot.save()
  w.clock.pass(60_000)
  assert.deepEqual(texts(w), [])
  w.settle()
  assert.deepEqual(w.stored, ["two"])
})

test("what the server refuses is not sent again until it is another", () => {
  const w = new World()
  w.type("too large")
  w.clock.pass(calm)
  w.requests[0]!.answer({ kind: "refused", status: 413, code: "too_large", message: "" })
  w.settle()
  assert.deepEqual(w.stored, [])
  assert.ok(!w.slot.isStored() && w.slot.isFailing, "a page that goes has to keep it")
  let waited = 0
  w.slot.whenStored(() => waited++)
  assert.equal(waited, 1, "nobody waits for what will not be")
  w.type("small")
  w.settle()
  assert.deepEqual(w.stored, ["small"])
  assert.ok(w.slot.isStored() && !w.slot.isFailing)
})

test("who leaves the page again and again while signed out sends one request after the sign-in", () => {
  const w = new World()
  const signedOut: Answer = { kind: "signed-out", code: "unauthorized", message: "" }
  w.type("one")
  w.clock.pass(calm)
  w.requests[0]!.answer(signedOut)
  for (let i = 0; i < 3; i++) {
    w.slot.leave()
    w.requests[0]!.answer(signedOut)
  }
  while (w.signIns.length > 0) w.signIns.shift()!()
  assert.deepEqual(texts(w), ["one"])
})

test("not now is tried again", () => {
  const w = new World()
  w.type("one")
  w.clock.pass(calm)
  w.requests[0]!.answer({ kind: "refused", status: 503, code: "unavailable", message: "", retryAfter: 2000 })
  w.clock.pass(1999)
  assert.deepEqual(texts(w), [])
  w.settle()
  assert.deepEqual(w.stored, ["one"])
})

test("who leads away waits until all of it is stored", () => {
  const w = new World()
  let stored = 0
  const wait = (): void => w.slot.whenStored(() => stored++)
  wait()
  assert.equal(stored, 1, "nothing was written")
  w.type("a")
  wait()
  assert.deepEqual(texts(w), ["a"])
  w.type("ab")
  wait()
  w.requests[0]!.answer(ok)
  assert.equal(stored, 1)
  w.requests[0]!.answer({ kind: "unknown" })
  assert.equal(stored, 1)
  w.settle()
  assert.equal(stored, 3)
  assert.deepEqual(w.stored, ["a", "ab"])
})
