import type { Page } from "../page.ts"
import { anchorBelow, drift, type Anchor } from "./anchor.ts"

/** So near its end the page counts as being there, in pixels, for a reader who scrolls down. */
const near = 40
/** Space between the composer and what is scrolled into view above it, in pixels. */
const clearance = 16

type Direction = (atEnd: boolean) => void

/**
 * Scrolls the page: along with what comes, while the reader is at the end, and
 * never against them. Whatever changes above keeps the row in view in place.
 */
export class Scroll {
  readonly #root: Element
  readonly #children: HTMLCollection
  readonly #bar: () => Element
  readonly #dock: Element
  /** The browser keeps what is in view in place by itself. */
  readonly #anchors = CSS.supports("overflow-anchor: auto")
  readonly #listeners: Direction[] = []
  #following = true
  #pressed = false
  #last = 0
  #anchor: Anchor | null = null
  #away = false

  constructor(page: Page) {
    const document = page.document
    this.#root = document.scrollingElement ?? document.documentElement
    const transcript = page.element("transcript")
    this.#children = transcript.children
    this.#bar = () => page.element("bar")
    this.#dock = transcript.parentElement!.querySelector(".dock")!
    this.#last = this.#root.scrollTop
    document.addEventListener("scroll", () => this.#scrolled(), { passive: true })
    const resized = new ResizeObserver(() => this.#resized())
    for (const element of [transcript, this.#dock]) resized.observe(element)
    window.addEventListener("resize", () => this.#resized())
    window.visualViewport?.addEventListener("resize", () => this.#resized())
    window.visualViewport?.addEventListener("scroll", () => this.#makeRoom())
    // While a mouse or a finger is down, the page holds still under it.
    transcript.addEventListener("pointerdown", () => (this.#pressed = true))
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => (this.#pressed = false))
  }

  /** Whether the page goes along with what comes. */
  get following(): boolean {
    return this.#following
  }

  /** Whether the end is in view, or nearly. */
  get atEnd(): boolean {
    return this.#distance() <= near
  }

  /** Scrolls to the end, and goes along from now on. */
  toEnd(): void {
    this.#following = true
    this.#scrollTo(this.#root.scrollHeight)
  }

  /** Scrolls so that a row stands so many pixels from the window's top. */
  show(anchor: Anchor): void {
    this.#following = false
    this.#scrollTo(this.#root.scrollTop + drift(anchor))
    this.#following = this.#distance() < 2
  }

  /** The first row in view, null at the end. */
  where(): Anchor | null {
    return this.#following ? null : this.#inView()
  }

  /** Makes a change above what the reader looks at, which stays where it is. */
  keeping(change: () => void): void {
    const anchor = this.#inView()
    const style = (this.#root as HTMLElement).style
    style.setProperty("overflow-anchor", "none") // once, not twice
    change()
    if (this.#following) this.toEnd()
    else if (anchor) this.#scrollTo(this.#root.scrollTop + drift(anchor))
    requestAnimationFrame(() => style.removeProperty("overflow-anchor"))
  }

  /** Calls back when the end comes into view or leaves it. */
  onTurn(listener: Direction): void {
    this.#listeners.push(listener)
  }

  #inView(): Anchor | null {
    return anchorBelow(this.#bar().getBoundingClientRect().bottom, this.#children)
  }

  #scrolled(): void {
    const top = this.#root.scrollTop
    const distance = this.#distance()
    if (distance < 2) this.#following = true
    else if (top < this.#last) this.#following = false
    else if (top > this.#last && distance <= near) this.#following = true
    this.#settle()
  }

  /** The page has another height, or the window: the end, or the row in view, is kept. */
  #resized(): void {
    this.#makeRoom()
    if (this.#following && !this.#pressed) this.#scrollTo(this.#root.scrollHeight)
    else if (!this.#following && !this.#anchors && this.#anchor) this.#scrollTo(this.#root.scrollTop + drift(this.#anchor))
    this.#settle()
  }

  /** Tells the browser what the bar and the composer cover, and where a soft keyboard begins. */
  #makeRoom(): void {
    const style = (this.#root as HTMLElement).style
    style.setProperty("scroll-padding-block-end", `${this.#dock.clientHeight + clearance}px`)
    const view = window.visualViewport
    const covered = view && view.scale === 1 ? Math.max(0, window.innerHeight - view.height - view.offsetTop) : 0
    style.setProperty("--ws-keyboard", `${Math.round(covered)}px`)
  }

  #scrollTo(top: number): void {
    if (Math.abs(this.#root.scrollTop - top) >= 1) this.#root.scrollTop = top
    this.#settle()
  }

  #settle(): void {
    this.#last = this.#root.scrollTop
    if (!this.#anchors) this.#anchor = this.#inView()
    const away = !this.atEnd
    if (away === this.#away) return
    this.#away = away
    for (const listener of this.#listeners) listener(!away)
  }

  #distance(): number {
    return this.#root.scrollHeight - this.#root.clientHeight - this.#root.scrollTop
  }
}
