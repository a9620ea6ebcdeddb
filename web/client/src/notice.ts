import type { Page } from "./page.ts"

/** The line of words above the message box, said to assistive technology as well. */
export class Notice {
  readonly #page: Page
  readonly #announce: (words: string) => void

  constructor(page: Page, announce: (words: string) => void) {
    this.#page = page
    this.#announce = announce
  }

  say(words: string): void {
    const line = document.createElement("bdi")
    line.textContent = words
    this.#page.element("notice").replaceChildren(line)
    this.#announce(words)
  }

  /** Says something that is seen elsewhere on the page. */
  announce(words: string): void {
    this.#announce(words)
  }

  /** Takes these words back, if nothing else was said since. */
  clear(words: string): void {
    const line = this.#page.element("notice")
    if (line.textContent === words) line.replaceChildren()
  }
}
