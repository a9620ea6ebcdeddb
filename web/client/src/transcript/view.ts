import type { Page } from "../page.ts"
import type { Transcript } from "./placement.ts"
import type { Scroll } from "./scroll.ts"

/** Where the reader was, kept with the entry in the browser's history: at a row, or at the end. */
interface Kept {
  row: string | null
  top: number
}

/** Opens a session where the reader left it, and else at its end. */
export class View {
  readonly #page: Page
  readonly #transcript: Transcript
  readonly #scroll: Scroll

  constructor(page: Page, transcript: Transcript, scroll: Scroll) {
    this.#page = page
    this.#transcript = transcript
    this.#scroll = scroll
    history.scrollRestoration = "manual"
    window.addEventListener("pagehide", () => this.#keep())
  }

  restore(): void {
    if (this.#page.sessionId === null) return
    const kept = read(history.state)
    const row = kept?.row && this.#page.document.getElementById(kept.row)
    if (kept && row && this.#transcript.element.contains(row)) this.#scroll.show({ row, top: kept.top })
    else if (kept || !this.#linked()) this.#scroll.toEnd()
  }

  /** Whether the address names a row of this page: the browser goes there. */
  #linked(): boolean {
    return this.#transcript.element.querySelector(":target") !== null
  }

  #keep(): void {
    const anchor = this.#scroll.where()
    const kept: Kept = { row: anchor?.row.id ?? null, top: anchor?.top ?? 0 }
    history.replaceState({ ...(history.state as object | null), view: kept }, "")
  }
}

function read(state: unknown): Kept | null {
  const view = (state as { view?: unknown } | null)?.view as Partial<Kept> | null | undefined
  if (!view || typeof view !== "object") return null
  return { row: typeof view.row === "string" ? view.row : null, top: typeof view.top === "number" ? view.top : 0 }
}
