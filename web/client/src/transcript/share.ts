import { systemClock, type Clock } from "../clock.ts"

/**
 * So many tabs hold a stream at once: a browser has six connections to a host
 * over HTTP/1.1, and the other requests need some.
 */
const streams = 3
/** A tab says so often that it is still there, in milliseconds. */
const beat = 10_000
/** Doing something counts once in so many milliseconds. */
const moment = 1_000
/** After so long without a word a tab is gone. */
const expiry = 25_000

/** How tabs of one browser hear each other: a BroadcastChannel. */
export interface Channel {
  postMessage(message: unknown): void
  onmessage: ((event: { data: unknown }) => void) | null
}

/** A word between tabs. */
type Word =
  | { kind: "here"; tab: string; looked: number } // when somebody last looked at it
  | { kind: "who" }
  | { kind: "bye"; tab: string }

/**
 * Shares the browser's connections between the tabs that are on the screen:
 * those that somebody looked at last hold a stream.
 */
export class Share {
  readonly #channel: Channel
  readonly #tab: string
  readonly #clock: Clock
  readonly #wall: () => number
  readonly #turn: (holds: boolean) => void
  readonly #others = new Map<string, { looked: number; heard: number }>()
  #looked = 0
  #joined = false
  #holds = false
  #cancel: () => void = () => {}

  /** turn is called when this tab is to hold a stream, and when it is no more. wall is a time that all tabs know. */
  constructor(channel: Channel, tab: string, turn: (holds: boolean) => void, clock: Clock = systemClock, wall: () => number = Date.now) {
    this.#channel = channel
    this.#tab = tab
    this.#turn = turn
    this.#clock = clock
    this.#wall = wall
    channel.onmessage = ({ data }) => this.#hear(data)
  }

  /** The tab is on the screen. */
  join(): void {
    if (!this.#joined) this.#channel.postMessage({ kind: "who" } satisfies Word)
    this.#joined = true
    this.looked()
  }

  /** Somebody does something in the tab. */
  looked(): void {
    if (!this.#joined || (this.#holds && this.#wall() - this.#looked < moment)) return
    this.#looked = this.#wall()
    this.#beat()
  }

  /** The tab is not on the screen any more. */
  leave(): void {
    if (!this.#joined) return
    this.#joined = false
    this.#cancel()
    this.#channel.postMessage({ kind: "bye", tab: this.#tab } satisfies Word)
    this.#decide()
  }

  #beat(): void {
    this.#say()
    this.#cancel()
    this.#cancel = this.#clock.after(beat, () => this.#beat())
    for (const [tab, { heard }] of this.#others) {
      if (this.#clock.now() - heard > expiry) this.#others.delete(tab)
    }
    this.#decide()
  }

  #say(): void {
    this.#channel.postMessage({ kind: "here", tab: this.#tab, looked: this.#looked } satisfies Word)
  }

  #hear(data: unknown): void {
    const word = data as Partial<Record<"kind" | "tab" | "looked", unknown>> | null
    switch (word?.kind) {
      case "who":
        if (this.#joined) this.#say()
        return
      case "here":
        if (typeof word.tab !== "string" || typeof word.looked !== "number") return
        this.#others.set(word.tab, { looked: word.looked, heard: this.#clock.now() })
        return this.#decide()
      case "bye":
        if (typeof word.tab === "string") this.#others.delete(word.tab)
        return this.#decide()
    }
  }

  #decide(): void {
    let before = 0
    for (const [tab, { looked }] of this.#others) {
      if (looked > this.#looked || (looked === this.#looked && tab > this.#tab)) before++
    }
    const holds = this.#joined && before < streams
    if (holds === this.#holds) return
    this.#holds = holds
    this.#turn(holds)
  }
}

/** The browser's channel; over HTTP/2 and later connections need no sharing, and where there are no channels none is possible. */
export function tabChannel(): Channel {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
  const alone = typeof BroadcastChannel === "undefined" || /^h[23]/.test(navigation?.nextHopProtocol ?? "")
  return alone ? { postMessage: () => {}, onmessage: null } : (new BroadcastChannel("webshell-streams") as Channel)
}
