/** How long after a composition's end WebKit may still report the Enter that ended it, in milliseconds. */
const late = 100

/**
 * Tells whether keys belong to an input method: while it composes, where the
 * browser says so (isComposing, key code 229), and for the Enter that ended the
 * composition where WebKit reports it after the end.
 */
export class Composition {
  readonly #element: HTMLElement
  #running = false
  #ownsKey = false
  #keyIsDown = false
  #endedAt: number | null = null
  readonly #stop = new AbortController()

  constructor(element: HTMLElement) {
    this.#element = element
    this.#on("compositionstart", () => (this.#running = true))
    this.#on("compositionend", (event) => this.#end(event))
    this.#on("keydown", (event) => this.#press(event))
    this.#on("keyup", () => this.#release())
    this.#on("blur", () => this.#release())
  }

  get running(): boolean {
    return this.#running
  }

  /** Whether the key that is being handled is the input method's. */
  get ownsKey(): boolean {
    return this.#ownsKey
  }

  /** Calls back once no composition runs, after the text it left has arrived: at once if there is none. */
  whenIdle(listener: () => void): void {
    if (!this.#running) return listener()
    const settled = (): void => void setTimeout(() => this.whenIdle(listener))
    this.#element.addEventListener("compositionend", settled, { once: true, signal: this.#stop.signal })
  }

  destroy(): void {
    this.#stop.abort()
  }

  #on<K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void): void {
    this.#element.addEventListener(type, listener, { capture: true, signal: this.#stop.signal })
  }

  #end(event: CompositionEvent): void {
    this.#running = false
    // A key that went down before was reported in order: Korean input methods
    // send an Enter of its own after it, and that one counts.
    if (this.#keyIsDown) return
    this.#endedAt = event.timeStamp
    if (!isWebKit()) queueMicrotask(() => (this.#endedAt = null))
  }

  #press(event: KeyboardEvent): void {
    this.#keyIsDown = true
    const confirms = event.key === "Enter" && this.#endedAt !== null && event.timeStamp - this.#endedAt < late
    this.#endedAt = null
    this.#ownsKey = this.#running || event.isComposing || event.keyCode === 229 || confirms
    if (confirms) event.preventDefault()
  }

  #release(): void {
    this.#keyIsDown = false
    this.#endedAt = null
  }
}

/** The order of events is WebKit's own: elsewhere a key after the end is a key of its own. */
function isWebKit(): boolean {
  return /^Apple/.test(navigator.vendor)
}
