import { systemClock, type Clock } from "../clock.ts"
import type { Words } from "../words.ts"
import type { StreamState } from "./stream.ts"

/** So long a lost connection goes without a word, in milliseconds: most are back by then. */
const quietFor = 2_000

/** The quiet line in the dock that says that the page is not up to date, and goes by itself. */
export class ConnectionLine {
  readonly #line: HTMLElement
  readonly #words: Words
  readonly #announce: (text: string) => void
  readonly #clock: Clock
  #cancel: () => void = () => {}
  #waiting = false

  /** dock is the element above the composer; the line comes before what "before" names in it. */
  constructor(dock: Element, before: Element, words: Words, announce: (text: string) => void, clock: Clock = systemClock) {
    this.#line = dock.ownerDocument.createElement("p")
    this.#line.className = "connection"
    this.#line.hidden = true
    dock.insertBefore(this.#line, before)
    this.#words = words
    this.#announce = announce
    this.#clock = clock
  }

  /** The stream's state has changed. */
  show(state: StreamState): void {
    switch (state) {
      case "open":
      case "paused":
      case "idle":
      case "signed-out": // has a dialog of its own
        return this.#say("")
      case "gone":
        return this.#say(this.#words.t("deleted"))
    }
    if (this.#waiting) return
    this.#waiting = true
    this.#cancel = this.#clock.after(quietFor, () => this.#say(this.#words.t(navigator.onLine ? "reconnecting" : "offline")))
  }

  #say(words: string): void {
    this.#cancel()
    if (words === "") this.#waiting = false
    else this.#announce(words)
    this.#line.textContent = words
    this.#line.hidden = words === ""
  }
}
