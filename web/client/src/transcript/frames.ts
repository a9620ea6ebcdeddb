import { createParser } from "eventsource-parser"
import { parseCursor, type Cursor } from "./cursor.ts"

/** One change of the page, as the server says it. */
export interface Frame {
  readonly event: string
  /** HTML. */
  readonly data: string
}

/**
 * The frames of one event of the log, with the cursor behind it. They are
 * applied together or not at all. cursor is null where they belong to no event
 * and say how things are by now.
 */
export interface Step {
  readonly cursor: Cursor | null
  readonly frames: readonly Frame[]
}

/**
 * The most text of one step, in UTF-16 units: an event of the log can have some
 * megabytes, and markup multiplies them.
 */
export const maxStep = 64 << 20

/** What comes is no stream of ours. */
export class BadStream extends Error {}

/** Reads a connection's text, in pieces of any size. A step that was cut off is never seen. */
export class FrameReader {
  readonly #parser
  readonly #limit: number
  #held: Frame[] = []
  #size = 0
  #steps: Step[] = []
  #fault = ""

  constructor(limit = maxStep) {
    this.#limit = limit
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ id, event, data }) => this.#frame(id, { event: event ?? "message", data }),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#fault = error.message
      },
    })
  }

  /** The steps that this piece completes. Throws BadStream. */
  feed(text: string): Step[] {
    this.#parser.feed(text)
    if (this.#fault) throw new BadStream(this.#fault)
    const steps = this.#steps
    this.#steps = []
    return steps
  }

  #frame(id: string | undefined, frame: Frame): void {
    // The queue is sent whole, after the rows of its time.
    if (id === undefined && frame.event === "queue" && this.#held.length === 0) {
      this.#steps.push({ cursor: null, frames: [frame] })
      return
    }
    this.#held.push(frame)
    this.#size += frame.data.length
    if (this.#size > this.#limit) this.#fault = "a step is too large"
    if (id === undefined) return
    const cursor = parseCursor(id)
    if (cursor) this.#steps.push({ cursor, frames: this.#held })
    else this.#fault = "an id is no cursor"
    this.#held = []
    this.#size = 0
  }
}
