import type { Page } from "./page.ts"

/** The line of words above the message box, said to assistive technology as well. */
export class Notice {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  say(words: string): void {
    const line = document.createElement("bdi")
    line.textContent = words
    this.#page.element("notice").replaceChildren(line)
    this.#page.element("status").textContent = words
  }

  /** Takes these words back, if nothing else was said since. */
  clear(words: string): void {
    const line = this.#page.element("notice")
    if (line.textContent === words) line.replaceChildren()
  }
}
