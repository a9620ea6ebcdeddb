import type { Clock } from "./clock.ts"

const quick = 250
const base = 500
const longest = 30_000
const longestAsked = 5 * 60_000

/** How long to wait before the next try: a first one at once, then longer and longer, never in step with other tabs. */
export class Backoff {
  readonly #clock: Clock
  #failures = 0
  #notBefore = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a failure and gives the milliseconds to wait. asked is what the server wants, 0 for nothing. */
  failed(asked = 0): number {
    this.#failures++
    const wait = this.#failures === 1 ? this.#clock.random() * quick : this.#jittered()
    const least = Math.min(asked, longestAsked)
    this.#notBefore = least > 0 ? this.#clock.now() + least : 0
    return least > 0 ? least + this.#clock.random() * base : wait
  }

  #jittered(): number {
    return Math.min(longest, base * 2 ** (this.#failures - 2)) * (0.5 + this.#clock.random() / 2)
  }

  /** Whether a try now would be against the server's wish. */
  get forbidden(): boolean {
    return this.#clock.now() < this.#notBefore
  }

  get failures(): number {
    return this.#failures
  }

  reset(): void {
    this.#failures = 0
    this.#notBefore = 0
  }
}
