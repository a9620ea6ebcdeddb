/** Asks one question at a time: a new one cancels the one before, and an answer that comes late is dropped. */
export class Latest {
  #running: AbortController | null = null

  /** Whether a question waits for its answer. */
  get pending(): boolean {
    return this.#running !== null
  }

  /**
   * Waits delay milliseconds, asks, and hands the answer or the failure over,
   * unless another question was asked or cancel was called in the meantime.
   */
  ask<T>(delay: number, question: (signal: AbortSignal) => Promise<T>, answered: (answer: T) => void, failed: (error: unknown) => void): void {
    this.cancel()
    const running = new AbortController()
    this.#running = running
    const settle = (hand: () => void) => {
      if (this.#running !== running) return
      this.#running = null
      hand()
    }
    const timer = setTimeout(() => {
      question(running.signal).then(
        (answer) => settle(() => answered(answer)),
        (error: unknown) => settle(() => failed(error)),
      )
    }, delay)
    running.signal.addEventListener("abort", () => clearTimeout(timer))
  }

  cancel(): void {
    const running = this.#running
    this.#running = null
    running?.abort()
  }
}
