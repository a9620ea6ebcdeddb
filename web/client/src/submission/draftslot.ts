import type { Clock } from "../clock.ts"
import type { Answer } from "../http.ts"
import { sameDraft, type Draft } from "../message.ts"
import { Backoff } from "../backoff.ts"

/** What keeping a draft needs. */
export interface DraftHost {
  readonly clock: Clock
  /** The draft as it is now. */
  read(): Draft
  /** Stores a draft. done is called once, unless the function it returns is called before. */
  put(draft: Draft, keepalive: boolean, done: (answer: Answer) => void): () => void
  signIn(): PromiseLike<void>
}

/** A change is stored after so many milliseconds without another one, and after the second number at the latest. */
export const calm = 400
export const atTheLatest = 2000

/**
 * Keeps one draft on the server. It stores one version after the other, never
 * two at once: the one that arrives last is the newest, and a version stored
 * late never brings back what was sent since.
 */
export class DraftSlot {
  readonly #host: DraftHost
  readonly #backoff: Backoff
  /** What the server is known to have; null: that is not known. */
  #stored: Draft | null
  /** What it has refused for good: the same again would be refused again. */
  #refused: Draft | null = null
  #underWay: { draft: Draft; keepalive: boolean; abort: () => void } | null = null
  #signedOut = false
  #changedAt: number | null = null
  #cancelTimer: () => void = () => {}
  /** Who waits for the draft to be stored. */
  #waiting: (() => void)[] = []

  constructor(stored: Draft | null, host: DraftHost) {
    this.#host = host
    this.#stored = stored
    this.#backoff = new Backoff(host.clock)
  }

  /** The draft has changed. */
  changed(): void {
    if (this.#underWay || this.#signedOut || this.#backoff.failures > 0) return // stored when that is over
    const now = this.#host.clock.now()
    this.#changedAt ??= now
    this.#after(Math.min(calm, this.#changedAt + atTheLatest - now))
  }

  /** Stores the draft now, if it is not stored. */
  save(): void {
    if (!this.#underWay && !this.#signedOut) this.#put(false)
  }

  /** Stores the draft, and calls back once the server has what is written by then, or will not have it. */
  whenStored(f: () => void): void {
    this.#waiting.push(f)
    this.save()
  }

  /** The page may be about to go: stores the draft in a request that outlives it. */
  leave(): void {
    const late = this.#underWay
    if (late?.keepalive && sameDraft(late.draft, this.#host.read())) return
    if (late) {
      late.abort()
      this.#underWay = null
      this.#stored = null
    }
    this.#put(true)
  }

  /** Whether the server could not be told: signed out, out of reach, or it refused. */
  get isFailing(): boolean {
    return this.#signedOut || this.#backoff.failures > 0 || this.#isRefused(this.#host.read())
  }

  /** Whether the server is known to have the draft as it is now. */
  isStored(): boolean {
    return this.#stored !== null && sameDraft(this.#host.read(), this.#stored)
  }

  /** The network may be back. */
  nudge(): void {
    if (this.#backoff.failures > 0 && !this.#backoff.forbidden) this.save()
  }

  #put(keepalive: boolean): void {
    this.#cancelTimer()
    this.#changedAt = null
    const draft = this.#host.read()
    if (this.isStored() || this.#isRefused(draft)) {
      for (const f of this.#waiting.splice(0)) f()
      return
    }
    const abort = this.#host.put(draft, keepalive, (answer) => this.#answered(draft, answer))
    this.#underWay = { draft, keepalive, abort }
  }

  #answered(draft: Draft, answer: Answer): void {
    this.#underWay = null
    switch (answer.kind) {
      case "ok":
        this.#stored = draft
        this.#refused = null
        this.#backoff.reset()
        return this.#put(false)
      case "signed-out":
        this.#stored = null
        return this.#awaitSignIn()
      case "refused":
        if (answer.retryAfter === undefined) {
          this.#stored = null
          this.#refused = draft
          this.#backoff.reset()
          return this.#put(false)
        }
    }
    this.#stored = null
    this.#after(this.#backoff.failed(answer.retryAfter))
  }

  /** A page that goes stores its draft even so: it may hear more than once that nobody is signed in. */
  #awaitSignIn(): void {
    if (this.#signedOut) return
    this.#signedOut = true
    void this.#host.signIn().then(() => {
      this.#signedOut = false
      this.save()
    })
  }

  #isRefused(draft: Draft): boolean {
    return this.#refused !== null && sameDraft(draft, this.#refused)
  }

  #after(ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#host.clock.after(ms, () => this.#put(false))
  }
}
