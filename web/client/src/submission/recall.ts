import { emptyDraft, type Draft } from "../message.ts"

/** A message of the person's, as the server lists it. */
export interface Sent {
  seq: number
  requestId: string
  message: Draft
}

/** Some of the messages of a session, newest first. */
export interface SentPage {
  messages: readonly Sent[]
  /** There are earlier ones. */
  more: boolean
}

/** Asks for the messages before a seq, or the newest; null where they cannot be had now. */
export type Fetch = (before: number | null) => Promise<SentPage | null>

/** How many messages can be recalled: what is older is looked for in the transcript. */
const most = 1000
/** So many are kept ahead of the one that is shown. */
const ahead = 10

/**
 * The messages that the person has sent, to be recalled with the arrow keys:
 * first those of this tab, then those that the session holds.
 */
export class Recall {
  readonly #fetch: Fetch
  /** Of this tab, newest first. */
  #own: { requestId: string; message: Draft }[] = []
  /** Of the server, newest first. */
  #stored: Sent[] = []
  #more = true
  #asking = false
  /** Which one is shown; -1: none. */
  #at = -1

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  /** A message was sent from this tab. */
  sent(requestId: string, message: Draft): void {
    this.#own.unshift({ requestId, message })
    this.#own.length = Math.min(this.#own.length, most)
    this.#stored = this.#stored.filter((one) => one.requestId !== requestId)
    this.#at = -1
  }

  /**
   * The message before (-1) or after (1) the one that is shown; past the newest
   * the empty one; null: there is none. fresh says that none is shown any more.
   */
  step(direction: -1 | 1, fresh: boolean): Draft | null {
    if (fresh) this.#at = -1
    const to = this.#at - direction
    if (to < -1 || to >= this.#own.length + this.#stored.length) return null
    this.#at = to
    if (to + ahead >= this.#own.length + this.#stored.length) void this.#ask()
    return this.#message(to) ?? emptyDraft
  }

  /** The message box is about to be used: asks for what was sent elsewhere since. */
  async prepare(): Promise<void> {
    if (this.#at >= 0 || this.#asking) return
    this.#asking = true
    const page = await this.#fetch(null)
    this.#asking = false
    if (!page || this.#at >= 0) return
    this.#stored = []
    this.#append(page)
  }

  #message(at: number): Draft | undefined {
    return at < this.#own.length ? this.#own[at]?.message : this.#stored[at - this.#own.length]?.message
  }

  async #ask(): Promise<void> {
    const oldest = this.#stored.at(-1)
    if (this.#asking || !this.#more || !oldest || this.#stored.length >= most) return
    this.#asking = true
    const page = await this.#fetch(oldest.seq)
    this.#asking = false
    if (page && this.#stored.at(-1) === oldest) this.#append(page)
  }

  #append(page: SentPage): void {
    const known = new Set(this.#own.map((one) => one.requestId))
    const last = page.messages.at(-1)
    this.#stored.push(...page.messages.filter((one) => !known.has(one.requestId)))
    this.#more = page.more && last !== undefined
  }
}
