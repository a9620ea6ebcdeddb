import type { Words } from "../words.ts"

/** What a session is doing. */
export interface Activity {
  /** A turn runs. */
  readonly running: boolean
  /** A question waits for the person. */
  readonly asks: boolean
  /** The session's last event. */
  readonly lastSeq: number
}

/** What a tab's title tells a person who looks at another one. */
export type Mark = "" | "asks" | "done"

/** What has happened since the page was last looked at: a question comes first, then a turn's end. */
export function markOf(seen: Activity, now: Activity): Mark {
  if (now.asks) return "asks"
  return !now.running && (seen.running || now.lastSeq > seen.lastSeq) ? "done" : ""
}

/** The document's title: the session's, behind a mark. */
export class PageTitle {
  readonly #document: Document
  readonly #words: Words
  #base: string
  #mark: Mark = ""

  constructor(document: Document, words: Words) {
    this.#document = document
    this.#words = words
    this.#base = document.title
  }

  /** The title without its mark. */
  set base(title: string) {
    this.#base = title
    this.#show()
  }

  set mark(mark: Mark) {
    this.#mark = mark
    this.#show()
  }

  #show(): void {
    const title = this.#mark === "" ? this.#base : `${this.#words.t("title." + this.#mark)} · ${this.#base}`
    if (this.#document.title !== title) this.#document.title = title
  }
}
