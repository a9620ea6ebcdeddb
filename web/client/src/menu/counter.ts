/** Milliseconds without a new list before it is told: a list for each letter would be noise. */
const quiet = 1000

/** Tells assistive technology how long the list is, once it has settled. */
export class Counter {
  readonly #announce: (text: string) => void
  readonly #quiet: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #told = ""

  constructor(announce: (text: string) => void, quietFor = quiet) {
    this.#announce = announce
    this.#quiet = quietFor
  }

  /** Announces the text unless another follows soon, or it was the last one already. */
  say(text: string): void {
    clearTimeout(this.#timer)
    if (text === this.#told) return
    this.#timer = setTimeout(() => {
      this.#told = text
      this.#announce(text)
    }, this.#quiet)
  }

  /** Forgets what waits, and what was told. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#told = ""
  }
}
