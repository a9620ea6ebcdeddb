import type { Page } from "../page.ts"
import type { Frame } from "./frames.ts"
import { morph, parse } from "./morph.ts"
import type { Transcript } from "./placement.ts"
import type { PageTitle } from "./title.ts"

/** Brings a stream's frames into the page. What comes together is applied in one task. */
export class Applier {
  readonly #page: Page
  readonly #transcript: Transcript
  readonly #title: PageTitle

  constructor(page: Page, transcript: Transcript, title: PageTitle) {
    this.#page = page
    this.#transcript = transcript
    this.#title = title
  }

  apply(frames: readonly Frame[]): void {
    for (const frame of frames) {
      try {
        this.#one(frame)
      } catch (error) {
        // One frame that cannot be shown must not keep the others away.
        reportError(error)
      }
    }
  }

  #one({ event, data }: Frame): void {
    switch (event) {
      case "row":
        for (const row of elements(data, "article")) this.#transcript.applyRow(row)
        break
      case "part":
        this.#transcript.applyParts(elements(data, "template") as HTMLTemplateElement[])
        break
      case "queue":
        for (const queue of elements(data, "#queue")) this.#transcript.applyQueue(queue)
        break
      case "status":
        for (const line of elements(data, "#run-line")) this.#transcript.applyRunLine(line)
        break
      case "bar":
        for (const bar of elements(data, "#bar")) this.#bar(bar)
        break
    }
  }

  #bar(bar: HTMLElement): void {
    morph(this.#page.element("bar"), bar)
    this.#title.base = bar.dataset["title"] ?? ""
    const heading = bar.querySelector("h1")
    const id = this.#page.sessionId
    const entry = id === null ? null : this.#page.root.querySelector<HTMLElement>(`.side-item[data-session="${CSS.escape(id)}"]`)
    if (!heading || !entry) return
    entry.title = heading.title
    entry.querySelector(".side-title")!.textContent = heading.textContent
  }
}

function elements(html: string, selector: string): HTMLElement[] {
  return parse(html).filter((element): element is HTMLElement => element instanceof HTMLElement && element.matches(selector))
}
