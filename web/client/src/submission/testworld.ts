import assert from "node:assert/strict"
import type { Answer } from "../http.ts"
import { emptyDraft, type Draft } from "../message.ts"
import { TestClock } from "../testclock.ts"
import { holdsFor } from "./lane.ts"
import type { Kept } from "./outbox.ts"
import { Outgoing, type Rows, type Surroundings } from "./outgoing.ts"
import { isPending, isUnsent, type Place, type Submission } from "./submission.ts"

/** A request that has left the page. */
export interface Request {
  readonly s: Submission
  readonly session: string | null
  answer(answer: Answer): void
}

const session = "session"

/** A server, a page and a person, each doing what a test tells them, with everything checked that must always hold. */
export class World implements Surroundings, Rows {
  clock = new TestClock()
  outgoing: Outgoing
  readonly rows: Rows = this
  /** What is kept for a page that comes later, by request id. */
  readonly kept = new Map<string, Kept>()
  readonly outbox = {
    keep: (kept: Kept, to: string | null): void => {
      assert.equal(to, this.adopted)
      this.kept.set(kept.requestId, kept)
    },
    drop: (requestId: string): void => void this.kept.delete(requestId),
  }
  /** Under way, in the order in which they left. */
  requests: Request[] = []
  /** What the server has taken, in order, and in the page's log of it. */
  readonly log: Submission[] = []
  streamed = 0
  /** The messages that the page has seen in the server's queue. */
  readonly seenQueued = new Set<string>()
  typed = 0
  readonly places = new Map<string, Place>()
  readonly box: { draft: Draft; composing: boolean } & Surroundings["box"]
  /** The texts that the person has sent. */
  readonly texts: string[] = []
  adopted: string | null
  #signIns: (() => void)[] = []
  #ids = 0
  /** The part of the log that the page was drawn with: from there, to there. */
  #drawnFrom = 0
  #drawnTo = 0
  reloads = 0

  constructor(inSession = true) {
    this.adopted = inSession ? session : null
    const box = {
      draft: emptyDraft as Draft,
      composing: false,
      get: () => box.draft,
      set: (draft: Draft) => void (box.draft = draft),
      isEmpty: () => box.draft.text === "",
      isComposing: () => box.composing,
    }
    this.box = box
    this.outgoing = new Outgoing(this.adopted, this)
  }

  // What the page's script asks for.

  isBusy(): boolean {
    return this.log.length > 0
  }

  has(requestId: string): boolean {
    return this.places.has(requestId)
  }

  isPast(seq: number): boolean {
    return seq <= this.#drawnTo
  }

  place(s: Submission): void {
    assert.ok(!this.places.has(s.requestId), "one row for a message")
    this.places.set(s.requestId, s.place)
  }

  move(s: Submission): void {
    assert.ok(this.places.has(s.requestId), "only a row that is there moves")
    this.places.set(s.requestId, s.place)
  }

  stand(s: Submission): void {
    assert.equal(this.places.get(s.requestId), s.place, "a row stands where its message does")
  }

  rename(from: string, s: Submission): void {
    assert.ok(this.places.delete(from))
    this.places.set(s.requestId, s.place)
  }

  remove(s: Submission): void {
    assert.ok(this.places.delete(s.requestId), "only a row that is there goes")
  }

  newId(): string {
    return String(++this.#ids)
  }

  post(s: Submission, to: string | null, done: (answer: Answer) => void): () => void {
    assert.equal(to, this.adopted)
    assert.ok(!this.isShown(s.requestId), "what the page knows is not sent again")
    assert.ok(!this.requests.some((other) => other.s.order === s.order), "one request for a message at a time")
    for (const ahead of this.outgoing.list.filter((other) => other.order < s.order && isPending(other))) {
      assert.ok(to !== null && (ahead.slow || ahead.failures >= holdsFor), `${s.order} leaves before ${ahead.order} is answered`)
    }
    const request: Request = {
      s,
      session: to,
      answer: (answer) => {
        this.requests = this.requests.filter((other) => other !== request)
        done(answer)
      },
    }
    this.requests.push(request)
    return () => void (this.requests = this.requests.filter((other) => other !== request))
  }

  adopt(id: string): void {
    assert.equal(this.adopted, null)
    this.adopted = id
  }

  signIn(): PromiseLike<void> {
    const signIns = this.#signIns
    return { then: (f: () => void) => void signIns.push(f) } as unknown as PromiseLike<void>
  }

  restored(): void {
    assert.ok(!this.box.isEmpty())
  }

  // What the person does.

  type(text: string): void {
    this.typed++
    this.box.draft = { text: this.box.draft.text + text, tags: [] }
    this.outgoing.typed()
  }

  send(): void {
    const draft = this.box.draft
    if (draft.text === "") return
    this.box.draft = emptyDraft
    this.texts.push(draft.text)
    this.outgoing.submit(draft)
  }

  signedIn(): void {
    const all = this.#signIns
    this.#signIns = []
    for (const f of all) f()
  }

  get signedOut(): boolean {
    return this.#signIns.length > 0
  }

  /** The page is loaded again, drawn with the last rows of the log. The draft has kept what is in the box. */
  reload(rows: number): void {
    this.reloads++
    this.requests = []
    this.#signIns = []
    this.clock = new TestClock()
    this.places.clear()
    this.seenQueued.clear()
    this.streamed = this.#drawnTo = this.adopted === null ? 0 : this.log.length
    this.#drawnFrom = Math.max(0, this.#drawnTo - rows)
    for (const { requestId } of this.log.slice(this.#drawnFrom, this.#drawnTo)) this.places.set(requestId, "transcript")
    this.outgoing = new Outgoing(this.adopted, this)
    this.outgoing.resume([...this.kept.values()])
  }

  // What the server does.

  /** The server takes the message of a request; again under the same id it changes nothing. */
  arrive({ s }: Request): Answer {
    const taken = this.log.find((other) => other.requestId === s.requestId)
    if (!taken) this.log.push(s)
    else assert.equal(taken.message.text, s.message.text)
    return { kind: "ok", status: taken ? 200 : 201, json: { sessionId: session, requestId: s.requestId, state: this.log[0] === (taken ?? s) ? "logged" : "queued", seq: this.seqOf(taken ?? s) } }
  }

  /** The place in the log of what a page has seen there, as the server says it. */
  seqOf(s: Submission): number | undefined {
    const at = this.log.indexOf(s)
    return at < this.#drawnTo || at === 0 ? at + 1 : undefined
  }

  /** The next row of the log reaches the page. */
  stream(): void {
    const s = this.log[this.streamed++]
    if (!s) return
    this.places.set(s.requestId, "transcript")
    this.outgoing.logged([s.requestId])
  }

  /** What the server's queue holds that the page does not know of. */
  get waiting(): readonly string[] {
    return this.log.slice(Math.max(1, this.streamed)).map((s) => s.requestId).filter((id) => !this.seenQueued.has(id))
  }

  /** The server's queue reaches the page. */
  queue(): void {
    const ids = this.waiting
    for (const id of ids) {
      this.seenQueued.add(id)
      this.places.set(id, "queue")
    }
    this.outgoing.queued(ids)
  }

  isShown(requestId: string): boolean {
    return this.seenQueued.has(requestId) || this.log.slice(this.#drawnFrom, this.streamed).some((s) => s.requestId === requestId)
  }

  /** What must hold in every moment. */
  check(): void {
    const { list } = this.outgoing
    for (const s of list) {
      assert.ok(!this.isShown(s.requestId))
      assert.equal(this.places.get(s.requestId), s.place, `${s.phase} ${s.requestId} has its row`)
    }
    assert.deepEqual([...this.kept.keys()].sort(), list.filter(isUnsent).map((s) => s.requestId).sort(), "what the server may not have is kept")
    const shown = this.log.filter((s) => this.isShown(s.requestId))
    assert.equal(this.places.size, list.length + shown.length, "no rows but those of messages")
    assert.ok(this.requests.length <= list.filter(isPending).length)
    for (const text of this.texts) {
      const has = (s: Submission): boolean => s.message.text.includes(text)
      assert.ok(this.log.some(has) || list.some(has) || this.box.draft.text.includes(text), `${text} is lost`)
      assert.ok(this.box.draft.text.split(text).length <= 2, `${text} is in the box twice: ${this.box.draft.text}`)
    }
  }

  /** All goes well from here on. */
  settle(): void {
    for (let round = 0; round < 1000; round++) {
      const request = this.requests[0]
      if (request) request.answer(this.arrive(request))
      else if (this.signedOut) this.signedIn()
      else if (this.streamed < this.log.length) this.stream()
      else if (this.clock.waiting > 0) this.clock.pass(60_000)
      else return
      this.check()
    }
    assert.fail("it does not come to rest")
  }
}
