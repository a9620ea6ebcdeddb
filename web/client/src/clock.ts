/** Time and chance, so that tests need neither. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number
  /** From 0 up to, and not including, 1. */
  random(): number
  /** Calls back once after so many milliseconds, unless the function it returns is called before. */
  after(ms: number, f: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  after(ms, f) {
    const timer = setTimeout(f, ms)
    return () => clearTimeout(timer)
  },
}
