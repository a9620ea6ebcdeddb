import { systemClock, type Clock } from "../clock.ts"
import { readAnswer, type Answer } from "./answer.ts"
import { Backoff } from "../backoff.ts"
import { formatCursor, isAfter, leavesGap, parseCursor, type Cursor } from "./cursor.ts"
import { BadStream, FrameReader, type Frame, type Step } from "./frames.ts"

/** The server sends a comment every 15 seconds: after so much silence the connection is dead, in milliseconds. */
const deadAfter = 40_000
/** How long the answer may take to begin. */
const answerWithin = 20_000
/** A connection that was silent for so long is doubted when somebody looks: one comment is missing. */
const doubtAfter = 20_000
/** A connection that was open for so long was a good one: its end is the first failure again. */
const goodAfter = 30_000

export type StreamState =
  | "idle" // not begun
  | "connecting"
  | "open"
  | "waiting" // for the next try
  | "signed-out" // until the person has signed in again
  | "paused" // given back: nobody looks
  | "gone" // the session was deleted

/** What a stream asks of the page. */
export interface StreamHost {
  url(after: string): string
  /** Shows changes, in order. All that arrived together comes together. */
  apply(frames: readonly Frame[]): void
  /** Resolves when the person has signed in again. */
  signIn(): Promise<void>
  /** The log is another one (a restored backup): the page must be loaded anew. */
  ahead(): void
  /** The stream's state has changed. */
  changed(state: StreamState): void
}

interface Connection {
  readonly abort: AbortController
  readonly begun: number
  heard: number
}

/**
 * Follows a session's transcript: holds one connection open while the page is
 * looked at, and goes on from its cursor after whatever befalls it. Nothing is
 * applied twice, nothing is left out.
 */
export class Stream {
  readonly #host: StreamHost
  readonly #clock: Clock
  readonly #fetch: typeof fetch
  readonly #backoff: Backoff
  #cursor: Cursor
  #state: StreamState = "idle"
  #connection: Connection | null = null
  #cancelTimer: () => void = () => {}

  /** cursor is where the page as drawn ends. */
  constructor(host: StreamHost, cursor: string, clock: Clock = systemClock, fetcher: typeof fetch = (...args) => fetch(...args)) {
    this.#host = host
    this.#cursor = parseCursor(cursor) ?? { seq: 0, n: 0 }
    this.#clock = clock
    this.#fetch = fetcher
    this.#backoff = new Backoff(clock)
  }

  get state(): StreamState {
    return this.#state
  }

  /** Where the page is in the log, as "seq" or "seq.n". */
  get cursor(): string {
    return formatCursor(this.#cursor)
  }

  /** How often in a row it failed to connect. */
  get failures(): number {
    return this.#backoff.failures
  }

  /** Connects, first of all or after a pause. */
  start(): void {
    if (this.#state !== "idle" && this.#state !== "paused") return
    this.#backoff.reset()
    this.#connect()
  }

  /** Gives the connection back until start. */
  pause(): void {
    if (this.#state === "gone" || this.#state === "idle") return
    this.#drop()
    this.#set("paused")
  }

  /** Somebody looks, or the network is back: what waits is tried now, a silent connection is replaced. */
  nudge(doubtful = false): void {
    const silent = this.#connection ? this.#clock.now() - this.#connection.heard : 0
    if (this.#state === "waiting" && !this.#backoff.forbidden) this.#connect()
    else if (this.#connection && (doubtful || silent > doubtAfter)) this.#connect()
  }

  #connect(): void {
    this.#drop()
    const begun = this.#clock.now()
    const connection = { abort: new AbortController(), begun, heard: begun }
    this.#connection = connection
    this.#set("connecting")
    this.#within(connection, answerWithin)
    void this.#run(connection)
  }

  async #run(connection: Connection): Promise<void> {
    let answer: Answer = { kind: "retry", after: 0 }
    try {
      answer = await readAnswer(await this.#request(connection))
      if (answer.kind === "open") await this.#read(answer.body, connection)
    } catch {
      // The network's errors, and those of a stream that is none: try again.
    }
    if (connection !== this.#connection) return
    this.#drop()
    switch (answer.kind) {
      case "signed-out":
        return this.#signIn()
      case "gone":
        return this.#set("gone")
      case "ahead":
        this.#set("gone")
        return this.#host.ahead()
      case "open":
        return this.#retry(0)
      case "retry":
        return this.#retry(answer.after)
    }
  }

  #request(connection: Connection): Promise<Response> {
    return this.#fetch(this.#host.url(this.cursor), {
      // Errors are wanted as JSON, and a sign-in as what it is.
      headers: { Accept: "text/event-stream, application/json;q=0.5" },
      redirect: "manual",
      cache: "no-store",
      signal: connection.abort.signal,
    })
  }

  async #read(body: ReadableStream<Uint8Array>, connection: Connection): Promise<void> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const frames = new FrameReader()
    this.#set("open")
    for (;;) {
      this.#within(connection, deadAfter)
      const { done, value } = await reader.read()
      if (done || connection !== this.#connection) return
      connection.heard = this.#clock.now()
      if (connection.heard - connection.begun > goodAfter) this.#backoff.reset()
      this.#take(frames.feed(decoder.decode(value, { stream: true })))
    }
  }

  /** Applies what is new; throws where something is missing in between. */
  #take(steps: readonly Step[]): void {
    const fresh: Frame[] = []
    const before = this.#cursor
    let gap = false
    for (const { cursor, frames } of steps) {
      if (cursor) {
        if (!isAfter(cursor, this.#cursor)) continue
        gap = leavesGap(this.#cursor, cursor)
        if (gap) break
        this.#cursor = cursor
      }
      fresh.push(...frames)
    }
    if (this.#cursor !== before) this.#backoff.reset()
    if (fresh.length > 0) this.#host.apply(fresh)
    if (gap) throw new BadStream("events are missing")
  }

  /** Gives a connection up that is silent for so long. */
  #within(connection: Connection, ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#clock.after(ms, () => {
      if (connection !== this.#connection) return
      this.#drop()
      this.#retry(0)
    })
  }

  #retry(asked: number): void {
    const wait = this.#backoff.failed(asked)
    this.#cancelTimer()
    this.#cancelTimer = this.#clock.after(wait, () => this.#connect())
    this.#set("waiting")
  }

  #signIn(): void {
    this.#set("signed-out")
    void this.#host.signIn().then(() => {
      if (this.#state === "signed-out") this.#connect()
    })
  }

  #drop(): void {
    this.#cancelTimer()
    this.#connection?.abort.abort()
    this.#connection = null
  }

  #set(state: StreamState): void {
    if (state === this.#state) return
    this.#state = state
    this.#host.changed(state)
  }
}
