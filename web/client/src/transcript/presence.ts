import { systemClock, type Clock } from "../clock.ts"
import { uuid } from "../uuid.ts"
import { Share, tabChannel, type Channel } from "./share.ts"
import type { Stream } from "./stream.ts"
import { markOf, type Activity, type Mark } from "./title.ts"

/** A tab that is hidden for so long gives its stream back, in milliseconds: a browser has six connections to a host. */
const patience = 5_000
/** A hidden tab asks so often how things are, and up to half as long later. */
const askEvery = 30_000
/** A tab on the screen that must do without a stream catches up so often. */
const glanceEvery = 3_000
/** So long it reads on once it has caught up. */
const glance = 300

/** What presence asks of the page. */
export interface PresenceHost {
  /** What the session does as far as the page knows. */
  activity(): Activity
  /** Asks the server; null where it does not say. */
  ask(): Promise<Activity | null>
  mark(mark: Mark): void
}

/**
 * Whether somebody looks at the page. A page on the screen holds a stream, or,
 * where other tabs need the connections more, catches up every few seconds. A
 * hidden one gives its stream back and asks now and then.
 */
export class Presence {
  readonly #stream: Stream
  readonly #host: PresenceHost
  readonly #clock: Clock
  readonly #share: Share
  #seen: Activity | null = null
  #holds = false
  #glancing = false
  #timer: () => void = () => {}

  constructor(stream: Stream, host: PresenceHost, clock: Clock = systemClock, channel: Channel = tabChannel()) {
    this.#stream = stream
    this.#host = host
    this.#clock = clock
    this.#share = new Share(channel, uuid(), (holds) => this.#turn(holds), clock, Date.now)
  }

  /** Listens to the browser. */
  watch(document: Document, window: Window): void {
    const look = (): void => (document.visibilityState === "hidden" ? this.hidden() : this.visible())
    document.addEventListener("visibilitychange", look)
    // Out of the back-forward cache, or about to go there: a connection keeps a page out of it.
    window.addEventListener("pagehide", () => this.left())
    window.addEventListener("pageshow", look)
    window.addEventListener("online", () => this.#stream.nudge(true))
    for (const doing of ["focus", "pointerdown", "keydown"]) window.addEventListener(doing, () => this.#share.looked(), { capture: true, passive: true })
    look()
  }

  /** Nobody looks any more. */
  hidden(): void {
    if (this.#seen) return
    this.#seen = this.#host.activity()
    this.#later(patience, () => this.left())
  }

  /** The page is away for a while: the stream goes back. */
  left(): void {
    this.#seen ??= this.#host.activity()
    this.#share.leave()
    this.#stream.pause()
    this.#askLater()
  }

  /** Somebody looks: the page catches up. */
  visible(): void {
    this.#cancel()
    this.#seen = null
    this.#host.mark("")
    this.#share.join()
    if (this.#stream.state === "paused") this.#stream.start()
    else this.#stream.nudge()
    if (!this.#holds) this.#glanceAway()
  }

  /** The page has changed. */
  changed(): void {
    if (this.#seen) this.#host.mark(markOf(this.#seen, this.#host.activity()))
    else if (!this.#holds) this.#glanceAway()
  }

  #turn(holds: boolean): void {
    this.#holds = holds
    if (this.#seen) return
    this.#cancel()
    if (holds && this.#stream.state === "paused") this.#stream.start()
    if (!holds) this.#glanceAway()
  }

  /** Gives the stream back as soon as it has caught up, which the first that it brings tells. */
  #glanceAway(): void {
    if (this.#glancing) return
    this.#later(glance, () => {
      if (this.#stream.state !== "open") return
      this.#stream.pause()
      this.#later(glanceEvery * (0.5 + this.#clock.random()), () => this.#stream.start())
    })
    this.#glancing = true
  }

  #askLater(): void {
    this.#later(askEvery * (1 + this.#clock.random() / 2), () => void this.#ask())
  }

  async #ask(): Promise<void> {
    const seen = this.#seen
    const now = await this.#host.ask()
    if (!seen || seen !== this.#seen) return // looked at meanwhile
    if (now) this.#host.mark(markOf(seen, now))
    this.#askLater()
  }

  /** Does one thing later, in place of what was to be done. */
  #later(ms: number, f: () => void): void {
    this.#cancel()
    this.#timer = this.#clock.after(ms, () => {
      this.#glancing = false
      f()
    })
  }

  #cancel(): void {
    this.#timer()
    this.#glancing = false
  }
}
