import { emptyDraft, type Draft } from "./message.ts"

/** How many messages can be recalled. */
const most = 100

/** The messages that were sent from this page, to be recalled with the arrow keys. */
export class Recall {
  readonly #sent: Draft[] = []
  /** The message that is shown; its length is none. */
  #at = 0

  add(draft: Draft): void {
    this.#sent.push(draft)
    if (this.#sent.length > most) this.#sent.shift()
    this.#at = this.#sent.length
  }

  /**
   * The message before (-1) or after (1) the one that is shown; past the newest
   * the empty one; null: there is none. fresh says that none is shown any more.
   */
  step(direction: -1 | 1, fresh: boolean): Draft | null {
    const from = fresh ? this.#sent.length : this.#at
    const to = from + direction
    if (to < 0 || to > this.#sent.length) return null
    this.#at = to
    return this.#sent[to] ?? emptyDraft
  }
}
