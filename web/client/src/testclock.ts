import type { Clock } from "./clock.ts"

/** A clock that stands still until it is moved on. */
export class TestClock implements Clock {
  #now = 0
  #next = 0
  readonly #timers = new Map<number, { at: number; f: () => void }>()
  /** What random gives. */
  chance = 0.5

  now(): number {
    return this.#now
  }

  random(): number {
    return this.chance
  }

  after(ms: number, f: () => void): () => void {
    const id = this.#next++
    this.#timers.set(id, { at: this.#now + ms, f })
    return () => this.#timers.delete(id)
  }

  /** Runs what falls due within ms, in order. */
  pass(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.at <= until).sort(([a, x], [b, y]) => x.at - y.at || a - b)[0]
      if (!due) break
      const [id, timer] = due
      this.#timers.delete(id)
      this.#now = Math.max(this.#now, timer.at)
      timer.f()
    }
    this.#now = until
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size
  }
}
