import type { Page } from "./page.ts"

/** The line of words above the message box, said to assistive technology as well, whoever wrote it there. */
export class Notice {
  readonly #page: Page
  readonly #announce: (words: string) => void

  constructor(page: Page, announce: (words: string) => void) {
    this.#page = page
    this.#announce = announce
    // The server's words about an action come by htmx.
    new MutationObserver(() => {
      const { textContent } = this.#line
      if (textContent) announce(textContent)
    }).observe(this.#line, { childList: true })
  }

  say(words: string): void {
    const line = document.createElement("bdi")
    line.textContent = words
    this.#line.replaceChildren(line)
  }

  /** Says something that is seen elsewhere on the page. */
  announce(words: string): void {
    this.#announce(words)
  }

  /** Takes these words back, if nothing else was said since. */
  clear(words: string): void {
    if (this.#line.textContent === words) this.#line.replaceChildren()
  }

  get #line(): HTMLElement {
    return this.#page.element("notice")
  }
}
