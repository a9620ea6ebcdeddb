import { templateOf } from "../chip.ts"
import type { Words } from "../words.ts"
import { morph, moveBefore } from "./morph.ts"

/** #queue: what waits for its turn, the server's rows and those that are on their way there. */
export class Queue {
  readonly #section: HTMLElement
  readonly #words: Words
  /** Rows that the server has shown in its queue. */
  readonly #known = new Set<string>()

  constructor(section: HTMLElement, words: Words) {
    this.#section = section
    this.#words = words
    for (const row of this.rows) this.#known.add(row.id)
  }

  get element(): HTMLElement {
    return this.#section
  }

  get rows(): HTMLElement[] {
    return rowsIn(this.#section)
  }

  /** Puts a message of this page at the end. */
  add(row: HTMLElement): void {
    row.dataset["queueRow"] = ""
    moveBefore(listIn(this.#section), row, null)
    fold(this.#section, this.#words)
  }

  /** It waits for the person, and holds up nothing that is sent now. */
  get isPaused(): boolean {
    return this.#section.dataset["paused"] !== undefined
  }

  /** A row went to the transcript, or away. */
  left(row: HTMLElement): void {
    delete row.dataset["queueRow"]
    this.#known.delete(row.id)
    fold(this.#section, this.#words)
  }

  /**
   * Shows the server's queue. A message of this page that the server has not
   * shown yet stays, after its rows. One that it has shown and shows no more was
   * taken out: what a turn takes is in the transcript before it leaves the
   * queue. Rows that isLogged knows are not shown again.
   */
  apply(section: HTMLElement, isLogged: (id: string) => boolean): void {
    for (const row of rowsIn(section)) {
      if (isLogged(row.id)) row.remove()
    }
    const arrived = new Set(rowsIn(section).map((row) => row.id))
    const leave = new Set<Element>(this.rows.filter((row) => !arrived.has(row.id) && !this.#known.has(row.id)))
    listIn(section).append(...[...leave].map((row) => row.cloneNode(false)))
    fold(section, this.#words)
    morph(this.#section, section, (element) => leave.has(element))
    this.#known.clear()
    for (const id of arrived) this.#known.add(id)
  }
}

function rowsIn(section: Element): HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>(".queue-list > article")]
}

function listIn(section: Element): Element {
  const list = section.querySelector(".queue-list")
  if (list) return list
  const made = section.ownerDocument.createElement("div")
  made.className = "queue-list"
  section.append(made)
  return made
}

/** One row shows bare, more fold under their count; none hides the queue. The server draws it the same way. */
function fold(section: HTMLElement, words: Words): void {
  const count = rowsIn(section).length
  const details = section.querySelector<HTMLElement>(":scope > details")
  const list = listIn(section)
  section.hidden = count === 0
  if (count > 1 && !details) {
    const folded = templateOf(document, "queue-template").querySelector("details")!.cloneNode(true) as HTMLElement
    section.insertBefore(folded, list)
    moveBefore(folded, list, null)
  } else if (count < 2 && details) {
    moveBefore(section, list, details)
    details.remove()
  }
  say(section.querySelector(".queue-count"), words.count("queue.count", count))
  say(section.querySelector(".queue-status"), status(section, words))
}

/** How many rows are under way somewhere, for when they are folded. */
function status(section: Element, words: Words): string {
  const count = (which: string): number => rowsIn(section).filter((row) => row.matches(which)).length
  const [sending, steering, held] = [count("[data-state=sending]"), count("[data-state=steering]"), count("[data-held]")]
  const parts = []
  if (sending > 0) parts.push(words.count("queue.sending", sending))
  if (steering > 0) parts.push(words.count("queue.steering", steering))
  if (held > 0) parts.push(words.count("queue.held", held))
  return parts.join(" · ")
}

function say(element: Element | null, words: string): void {
  if (element && element.textContent !== words) element.textContent = words
}
