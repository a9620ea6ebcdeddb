import { systemClock, type Clock } from "../clock.ts"
import type { Stream } from "./stream.ts"
import { markOf, type Activity, type Mark } from "./title.ts"

/** A tab that is hidden for so long gives its stream back, in milliseconds: a browser has six connections to a host. */
const patience = 5_000
/** A tab without a stream asks so often how things are, and up to half as long later. */
const askEvery = 30_000

/** What presence asks of the page. */
export interface PresenceHost {
  /** What the session does as far as the page knows. */
  activity(): Activity
  /** Asks the server; null where it does not say. */
  ask(): Promise<Activity | null>
  mark(mark: Mark): void
}

/** Whether somebody looks at the page: only then it holds a stream. */
export class Presence {
  readonly #stream: Stream
  readonly #host: PresenceHost
  readonly #clock: Clock
  #seen: Activity | null = null
  #cancel: () => void = () => {}

  constructor(stream: Stream, host: PresenceHost, clock: Clock = systemClock) {
    this.#stream = stream
    this.#host = host
    this.#clock = clock
  }

  /** Listens to the browser. */
  watch(document: Document, window: Window): void {
    const look = (): void => (document.visibilityState === "hidden" ? this.hidden() : this.visible())
    document.addEventListener("visibilitychange", look)
    // Out of the back-forward cache, or about to go there: a connection keeps a page out of it.
    window.addEventListener("pagehide", () => this.left())
    window.addEventListener("pageshow", look)
    window.addEventListener("online", () => this.#stream.nudge(true))
    look()
  }

  /** Nobody looks any more. */
  hidden(): void {
    if (this.#seen) return
    this.#seen = this.#host.activity()
    this.#cancel()
    this.#cancel = this.#clock.after(patience, () => this.left())
  }

  /** The page is away for a while: the stream goes back. */
  left(): void {
    this.#seen ??= this.#host.activity()
    this.#stream.pause()
    this.#askLater()
  }

  /** Somebody looks: the page catches up. */
  visible(): void {
    this.#cancel()
    this.#seen = null
    this.#host.mark("")
    if (this.#stream.state === "paused") this.#stream.start()
    else this.#stream.nudge()
  }

  /** Something has changed on the page while nobody may look. */
  changed(): void {
    if (this.#seen) this.#host.mark(markOf(this.#seen, this.#host.activity()))
  }

  #askLater(): void {
    this.#cancel()
    this.#cancel = this.#clock.after(askEvery * (1 + this.#clock.random() / 2), () => void this.#ask())
  }

  async #ask(): Promise<void> {
    const seen = this.#seen
    const now = await this.#host.ask()
    if (!seen || seen !== this.#seen) return // looked at meanwhile
    if (now) this.#host.mark(markOf(seen, now))
    this.#askLater()
  }
}
