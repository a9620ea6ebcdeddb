import { TestClock } from "../testclock.ts"
import { Stream, type StreamState } from "./stream.ts"

const sse = { "Content-Type": "text/event-stream; charset=utf-8" }
export const encoder = new TextEncoder()

/** One connection, as the server sees it. */
export class Peer {
  readonly after: string
  readonly headers: Headers
  readonly signal: AbortSignal
  readonly #answer: (response: Response) => void
  readonly #fail: (error: unknown) => void
  #body!: ReadableStreamDefaultController<Uint8Array>

  constructor(url: string, init: RequestInit, answer: (response: Response) => void, fail: (error: unknown) => void) {
    this.after = new URL(url, "http://test").searchParams.get("after") ?? ""
    this.headers = new Headers(init.headers)
    this.signal = init.signal as AbortSignal
    this.#answer = answer
    this.#fail = fail
    this.signal.addEventListener("abort", () => {
      fail(new DOMException("aborted", "AbortError"))
      try {
        this.#body?.error(new DOMException("aborted", "AbortError"))
      } catch {
        // It has ended before.
      }
    })
  }

  async open(): Promise<void> {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#body = controller) })
    this.#answer(new Response(body, { headers: sse }))
    await settled()
  }

  async send(text: string | Uint8Array): Promise<void> {
    this.#body.enqueue(typeof text === "string" ? encoder.encode(text) : text)
    await settled()
  }

  async end(): Promise<void> {
    this.#body.close()
    await settled()
  }

  async refuse(status: number, body: string, headers: Record<string, string> = { "Content-Type": "application/json" }): Promise<void> {
    this.#answer(new Response(body, { status, headers }))
    await settled()
  }

  async answer(response: Response): Promise<void> {
    this.#answer(response)
    await settled()
  }

  async break(): Promise<void> {
    this.#fail(new TypeError("network"))
    await settled()
  }
}

/** Lets everything that waits for nothing from outside happen. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
}

export function frame(id: string, data: string, event = "row"): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}

export function setUp(cursor = "5") {
  const clock = new TestClock()
  const peers: Peer[] = []
  const applied: string[] = []
  const batches: number[] = []
  const states: StreamState[] = []
  const signIns: (() => void)[] = []
  let ahead = 0
  const stream = new Stream(
    {
      url: (after) => `/stream?after=${after}`,
      apply: (frames) => {
        batches.push(frames.length)
        applied.push(...frames.map((f) => `${f.event}:${f.data}`))
      },
      signIn: () => new Promise((resolve) => signIns.push(resolve)),
      ahead: () => void ahead++,
      changed: (state) => states.push(state),
    },
    cursor,
    clock,
    (url, init) => new Promise((answer, fail) => peers.push(new Peer(String(url), init ?? {}, answer, fail))),
  )
  const last = (): Peer => peers.at(-1) as Peer
  /** Waits for the next try, and says how long that was. */
  const nextTry = (): number => {
    const begun = clock.now()
    for (const count = peers.length; peers.length === count; ) clock.pass(25)
    return clock.now() - begun
  }
  return { clock, peers, applied, batches, states, signIns, stream, last, nextTry, aheads: () => ahead }
}
