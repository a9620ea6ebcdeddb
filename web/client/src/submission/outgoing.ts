import type { Clock } from "../clock.ts"
import type { Answer } from "../http.ts"
import type { Draft } from "../message.ts"
import { Backoff } from "../backoff.ts"
import { nextToLeave } from "./lane.ts"
import { readReceipt } from "./receipt.ts"
import type { Kept, Outbox } from "./outbox.ts"
import { Restorer, type Box } from "./restore.ts"
import { isPending, isUnsent, resumed, step, submitted, type Happening, type Mode, type Place, type Submission } from "./submission.ts"

/** The rows of messages on the page. One message has one row, wherever it stands. */
export interface Rows {
  /** A turn runs or is about to, or messages wait: a new one will be queued. */
  isBusy(): boolean
  /** The server's own row of this message stands on the page. */
  has(requestId: string): boolean
  /** The page was drawn from a log that had this event already. */
  isPast(seq: number): boolean
  place(s: Submission): void
  move(s: Submission): void
  stand(s: Submission): void
  rename(from: string, s: Submission): void
  remove(s: Submission): void
}

/** What messages on their way need of the page and the network. */
export interface Surroundings {
  rows: Rows
  box: Box
  outbox: Outbox
  clock: Clock
  newId(): string
  /** Sends a message to a session, or with null begins one with it. done is called once, unless the function it returns is called before. */
  post(s: Submission, session: string | null, done: (answer: Answer) => void): () => void
  /** The page becomes that of the session which the first message began. */
  adopt(session: string): void
  signIn(): PromiseLike<void>
  /** Messages that failed were put into the composer. */
  restored(): void
}

/** After so many milliseconds without an answer a request counts as slow. */
export const slowAfter = 1000

/** The messages of one session that are on their way to the server, in the order of submission. */
export class Outgoing {
  readonly #around: Surroundings
  readonly #restorer: Restorer
  readonly #backoff: Backoff
  readonly #requests = new Map<number, () => void>()
  #list: readonly Submission[] = []
  #session: string | null
  #submitted = 0
  #held = false
  #cancelTimer: (() => void) | null = null

  constructor(session: string | null, around: Surroundings) {
    this.#session = session
    this.#around = around
    this.#restorer = new Restorer(around.box)
    this.#backoff = new Backoff(around.clock)
  }

  /** The messages whose rows are not the server's yet. */
  get list(): readonly Submission[] {
    return this.#list
  }

  /** Shows a message that the person has just sent, in this task, and sends it. */
  submit(message: Draft, mode: Mode = "queue"): void {
    for (const part of this.#restorer.sent(message.text)) this.#happen(part.order, { type: "taken" })
    this.#add(submitted(this.#around.newId(), message, this.#submitted++, this.#placeOfNext(), mode))
    this.#leave()
  }

  /** Takes up messages that earlier pages have left behind. */
  resume(left: readonly Kept[]): void {
    for (const { requestId, message, mode, reason } of left) {
      if (this.#around.rows.has(requestId)) {
        this.#around.outbox.drop(requestId)
        continue
      }
      this.#add(resumed(requestId, message, this.#submitted++, this.#placeOfNext(), mode, reason))
    }
    this.#restorer.resumed(this.#list.filter((s) => s.phase === "failed"))
    this.#leave()
  }

  /** Durable rows are on the page. */
  logged(requestIds: readonly string[]): void {
    for (const id of requestIds) this.#happenTo(id, { type: "row" })
  }

  /** The server's queue is on the page, with these messages. */
  queued(requestIds: readonly string[]): void {
    for (const id of requestIds) this.#happenTo(id, { type: "queued" })
  }

  cancel(requestId: string): void {
    this.#happenTo(requestId, { type: "cancel" })
  }

  retry(requestId: string): void {
    this.#happenTo(requestId, { type: "retry", place: this.#placeOfNext() })
  }

  /** Puts a message that failed into the composer. */
  edit(requestId: string): void {
    const s = this.#find(requestId)
    if (s?.phase !== "failed") return
    this.#restorer.edit(s)
    this.#happen(s.order, { type: "taken" })
  }

  /** The person has changed the composer's text. */
  typed(): void {
    this.#restorer.typed()
  }

  /** The network may be back: what waits is tried now. */
  nudge(): void {
    if (!this.#backoff.forbidden) this.#again()
  }

  #add(s: Submission): void {
    this.#list = [...this.#list, s]
    this.#around.rows.place(s)
    this.#around.rows.stand(s)
    this.#keep(s)
  }

  #keep({ requestId, message, mode, reason }: Submission): void {
    this.#around.outbox.keep({ requestId, message, mode, reason: reason ?? null }, this.#session)
  }

  #placeOfNext(): Place {
    const ahead = this.#list.some((s) => isPending(s) || s.phase === "accepted")
    return ahead || this.#around.rows.isBusy() ? "queue" : "transcript"
  }

  #find(requestId: string): Submission | undefined {
    return this.#list.find((s) => s.requestId === requestId)
  }

  #happenTo(requestId: string, e: Happening): void {
    const s = this.#find(requestId)
    if (s) this.#happen(s.order, e)
  }

  #happen(order: number, e: Happening): void {
    const before = this.#list.find((s) => s.order === order)
    const after = before && step(before, e)
    if (!before || !after || after === before) return
    const over = after.phase === "shown" || after.phase === "gone"
    this.#list = over ? this.#list.filter((s) => s !== before) : this.#list.map((s) => (s === before ? after : s))
    if (before.phase === "sending" && after.phase !== "sending") this.#hangUp(order)
    this.#show(before, after)
    this.#store(before, after)
    this.#offer(before, after)
    this.#leave()
  }

  #show(before: Submission, after: Submission): void {
    const { rows } = this.#around
    if (after.phase === "gone") return rows.remove(before)
    if (after.phase === "shown") return
    if (after.requestId !== before.requestId) rows.rename(before.requestId, after)
    if (after.place !== before.place) rows.move(after)
    rows.stand(after)
  }

  /** Keeps the outbox in step with what the server is not known to have. */
  #store(before: Submission, after: Submission): void {
    const renamed = after.requestId !== before.requestId
    if (renamed || !isUnsent(after)) this.#around.outbox.drop(before.requestId)
    if (isUnsent(after) && (renamed || after.reason !== before.reason)) this.#keep(after)
  }

  /** Keeps the composer in step with what failed, and what failed only at first. */
  #offer(before: Submission, after: Submission): void {
    if (after.phase === "failed" && before.phase !== "failed") {
      if (this.#restorer.failed(after)) this.#around.restored()
    } else if (before.phase === "failed" && after.phase !== "gone") this.#restorer.withdraw(before)
  }

  /** Sends what may leave. */
  #leave(): void {
    if (this.#held) return
    for (;;) {
      const s = nextToLeave(this.#list, this.#session !== null)
      if (!s) return
      this.#together(() => this.#send(s))
    }
  }

  /** Several things at once: only then it is decided what leaves, so that the earliest does. */
  #together(f: () => void): void {
    const held = this.#held
    this.#held = true
    f()
    this.#held = held
    this.#leave()
  }

  #send({ order, attempt: last }: Submission): void {
    const attempt = last + 1
    this.#happen(order, { type: "left" })
    const s = this.#list.find((one) => one.order === order)!
    const stopTimer = this.#around.clock.after(slowAfter, () => this.#happen(order, { type: "slow", attempt }))
    const abort = this.#around.post(s, this.#session, (answer) => {
      stopTimer()
      this.#requests.delete(order)
      this.#answered(order, attempt, answer)
    })
    this.#requests.set(order, () => {
      stopTimer()
      abort()
    })
  }

  #hangUp(order: number): void {
    this.#requests.get(order)?.()
    this.#requests.delete(order)
  }

  #answered(order: number, attempt: number, answer: Answer): void {
    const receipt = answer.kind === "ok" ? readReceipt(answer.json) : null
    switch (answer.kind) {
      case "ok":
        if (!receipt) return this.#unanswered(order, { type: "unknown", attempt })
        this.#begin(receipt.session)
        this.#backoff.reset()
        return this.#together(() => {
          const past = receipt.seq !== undefined && this.#around.rows.isPast(receipt.seq)
          this.#happen(order, past ? { type: "past" } : { type: "accepted", state: receipt.state })
          this.#again()
        })
      case "refused": {
        const reason = { code: answer.code, message: answer.message }
        const refused = { type: "refused", attempt, status: answer.status, reason, freshId: this.#around.newId() } as const
        return this.#unanswered(order, refused, answer.retryAfter)
      }
      case "signed-out":
        this.#happen(order, { type: "signed-out", attempt })
        return void this.#around.signIn().then(() => this.#signedIn())
      case "unknown":
        return this.#unanswered(order, { type: "unknown", attempt }, answer.retryAfter)
    }
  }

  /** What may have to be tried again, asked milliseconds from now at the earliest. */
  #unanswered(order: number, e: Happening, asked?: number): void {
    this.#happen(order, e)
    if (this.#cancelTimer || !this.#list.some((s) => s.phase === "unconfirmed")) return
    this.#cancelTimer = this.#around.clock.after(this.#backoff.failed(asked), () => this.#again())
  }

  /** Tries all that waits, the first of them first. */
  #again(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#all("unconfirmed", { type: "due" })
  }

  #signedIn(): void {
    this.#all("signed-out", { type: "signed-in" })
  }

  #all(phase: Submission["phase"], e: Happening): void {
    const orders = this.#list.filter((s) => s.phase === phase).map((s) => s.order)
    this.#together(() => {
      for (const order of orders) this.#happen(order, e)
    })
  }

  #begin(session: string): void {
    if (this.#session !== null) return
    this.#session = session
    this.#around.adopt(session)
    for (const s of this.#list.filter(isUnsent)) this.#keep(s)
  }
}
