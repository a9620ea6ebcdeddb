import type { Page } from "../page.ts"
import type { Transcript } from "./placement.ts"
import type { Scroll } from "./scroll.ts"

/** The control that leads to the newest row. It is there away from the end, and marked when something came. */
export class Jump {
  readonly #link: HTMLElement
  readonly #page: Page
  readonly #scroll: Scroll

  constructor(page: Page, transcript: Transcript, scroll: Scroll) {
    this.#link = page.root.querySelector<HTMLElement>(".jump")!
    this.#page = page
    this.#scroll = scroll
    this.#link.textContent = page.words.t("jump")
    this.#link.addEventListener("click", (event) => this.#jump(event))
    scroll.onTurn((atEnd) => this.#show(!atEnd))
    this.#show(!scroll.atEnd)
    transcript.onRow(() => this.#came())
    transcript.onGrowth(() => this.#came())
  }

  #show(away: boolean): void {
    this.#link.toggleAttribute("data-away", away)
    if (!away) this.#mark(false)
  }

  #came(): void {
    if (!this.#scroll.following && !this.#scroll.atEnd) this.#mark(true)
  }

  #mark(fresh: boolean): void {
    if (this.#link.hasAttribute("data-new") === fresh) return
    this.#link.toggleAttribute("data-new", fresh)
    this.#link.textContent = this.#page.words.t(fresh ? "jump.new" : "jump")
  }

  #jump(event: MouseEvent): void {
    event.preventDefault()
    this.#scroll.toEnd()
    // The control goes: who came by keyboard goes on writing.
    if (event.detail === 0) this.#page.focusMessage()
  }
}
