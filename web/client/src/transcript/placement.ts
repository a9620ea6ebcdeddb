import { messageId } from "../bubble.ts"
import { isCoarse } from "../editor/pointer.ts"
import type { Page } from "../page.ts"
import { group, isBehind, leaveBehind } from "./behind.ts"
import { applyParts, closeBlock, type Growth } from "./block.ts"
import { morph, moveBefore } from "./morph.ts"
import { isLogged, nextOf } from "./order.ts"
import { Queue } from "./queue.ts"

/** Where a message stands that is not in the log. */
export type Where = "transcript" | "queue"

type Listener<T> = (value: T) => void

/**
 * Owns every change inside #transcript and #queue. A message has one element,
 * known by its id, from its echo to its row in the log; each change is made
 * within one task, so that no frame shows it twice or not at all.
 */
export class Transcript {
  readonly element: HTMLElement
  readonly #queue: Queue
  readonly #runLine: () => HTMLElement
  /** What had the focus is gone with a row's change, such as the buttons of a question that was answered. */
  readonly #focusLost: Listener<HTMLElement>
  readonly #finishers: Listener<HTMLElement>[] = []
  readonly #rowListeners: Listener<HTMLElement>[] = []
  readonly #growthListeners: ((row: HTMLElement, growth: Growth) => void)[] = []
  readonly #queueListeners: Listener<string[]>[] = []
  readonly #runningListeners: Listener<boolean>[] = []
  readonly #echoListeners: Listener<HTMLElement>[] = []

  constructor(page: Page) {
    this.element = page.element("transcript")
    this.#queue = new Queue(page.element("queue"), page.words)
    this.#runLine = () => page.element("run-line")
    this.#focusLost = (row) => (isCoarse() ? focusRow(row) : page.focusMessage())
  }

  /** Shows a message of this page. Those that are not in the log come last, in the order of these calls. */
  placeEcho(article: HTMLElement, where: Where): void {
    this.#finish(article)
    this.#put(article, where)
    for (const listener of this.#echoListeners) listener(article)
  }

  /** Takes a message that is not in the log to the other place. */
  move(requestId: string, where: Where): void {
    const row = this.#find(messageId(requestId))
    if (row && !isLogged(row)) this.#put(row, where)
  }

  /** Takes a message away that is not in the log. */
  remove(requestId: string): void {
    const row = this.#find(messageId(requestId))
    if (!row || isLogged(row)) return
    row.remove()
    this.#queue.left(row)
  }

  /** Shows a row of the log, or the block that is being written, in place of the element with its id. */
  applyRow(article: HTMLElement): void {
    this.#finish(article)
    const old = this.#find(article.id)
    // A row of the log never becomes one that is not: that would be an old answer.
    if (old && isLogged(old) && !isLogged(article)) return
    if (old?.dataset["open"] !== undefined && isLogged(article)) closeBlock(old)
    const held = old?.contains(old.ownerDocument.activeElement) ?? false
    if (old) morph(old, article)
    const row = old ?? article
    this.#place(row)
    this.#process(row)
    if (held && !row.contains(row.ownerDocument.activeElement)) this.#focusLost(row)
    for (const listener of this.#rowListeners) listener(row)
  }

  /** Applies parts of the block that is being written. */
  applyParts(parts: readonly HTMLTemplateElement[]): void {
    const row = this.#find(parts[0]?.dataset["block"] ?? "")
    if (row?.dataset["open"] === undefined) return
    for (const part of parts) this.#finish(part.content)
    const growth = applyParts(row, parts)
    for (const listener of this.#growthListeners) listener(row, growth)
  }

  /** Shows the server's queue. */
  applyQueue(section: HTMLElement): void {
    this.#finish(section)
    const rows = [...section.querySelectorAll<HTMLElement>("article[id]")]
    const ids = rows.flatMap((row) => row.dataset["requestId"] ?? [])
    for (const row of rows) {
      const here = this.#find(row.id)
      if (here && !isLogged(here) && this.element.contains(here)) this.#put(here, "queue")
    }
    this.#queue.apply(section, (id) => {
      const row = this.#find(id)
      return row !== null && isLogged(row)
    })
    this.#process(this.#queue.element)
    for (const listener of this.#queueListeners) listener(ids)
  }

  /** Shows whether an answer is being written. */
  applyRunLine(like: Element): void {
    morph(this.#runLine(), like)
    for (const listener of this.#runningListeners) listener(this.isRunning())
  }

  /** Puts the page of rows before these in place of the link that leads to it. Rows that are here stay. */
  prepend(link: Element, elements: readonly Element[]): void {
    const fresh = elements.filter((element) => element.id === "" || !this.#find(element.id))
    const rows = fresh.filter((element): element is HTMLElement => element.matches("article"))
    for (const row of rows) this.#finish(row)
    link.replaceWith(...fresh.filter((element) => !element.matches("article")), group(link.ownerDocument, rows))
    for (const row of rows) this.#process(row)
  }

  /** Whether a turn runs, also while it waits for the person. */
  isRunning(): boolean {
    return this.#runLine().dataset["running"] !== undefined
  }

  /** The questions that wait for the person. */
  questions(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('article[data-role="permission"][data-waiting]')]
  }

  /** How many messages wait. */
  waiting(): number {
    return this.#queue.rows.length
  }

  /** Whether messages wait for their turn, which what is sent now waits for too. */
  hasLine(): boolean {
    return this.#queue.rows.length > 0 && !this.#queue.isPaused
  }

  /** Adds to what the server draws, before it is shown: local times, buttons. What is there is done at once. */
  finishWith(finisher: (fragment: ParentNode & Node) => void): void {
    finisher(this.element)
    finisher(this.#queue.element)
    this.#finishers.push(finisher as Listener<HTMLElement>)
  }

  /** Calls back after a row of the log, or the open block as a whole, has changed. */
  onRow(listener: (row: HTMLElement) => void): void {
    this.#rowListeners.push(listener)
  }

  /** Calls back after the open block has grown. */
  onGrowth(listener: (row: HTMLElement, growth: Growth) => void): void {
    this.#growthListeners.push(listener)
  }

  /** Calls back with the request ids of the server's queue, after it was shown. */
  onQueued(listener: (requestIds: string[]) => void): void {
    this.#queueListeners.push(listener)
  }

  /** Calls back when a turn may have begun or ended. */
  onRunning(listener: (running: boolean) => void): void {
    this.#runningListeners.push(listener)
  }

  /** Calls back after a message of this page was shown. */
  onEcho(listener: (article: HTMLElement) => void): void {
    this.#echoListeners.push(listener)
  }

  #find(id: string): HTMLElement | null {
    const found = id === "" ? null : this.element.ownerDocument.getElementById(id)
    return found instanceof HTMLElement && found.matches("#transcript article, #queue article") ? found : null
  }

  #put(row: HTMLElement, where: Where): void {
    if (where === "queue") return this.#queue.add(row)
    this.#place(row)
  }

  #place(row: HTMLElement): void {
    if (isBehind(row)) return
    const rows = this.element.children as HTMLCollectionOf<HTMLElement>
    const next = nextOf(row, rows)
    const waited = this.#queue.element.contains(row)
    if (row.parentElement !== this.element || row.nextElementSibling !== next) moveBefore(this.element, row, next)
    if (waited) this.#queue.left(row)
    leaveBehind(this.element)
    this.element.querySelector(":scope > .empty")?.remove()
  }

  #finish(fragment: ParentNode & Node): void {
    for (const finisher of this.#finishers) finisher(fragment as HTMLElement)
  }

  #process(element: Element): void {
    if (element.matches("[hx-get], [hx-post]") || element.querySelector("[hx-get], [hx-post]")) htmx()?.process(element)
  }
}

/** A row takes the focus where the message box would bring up a keyboard on the screen. */
function focusRow(row: HTMLElement): void {
  row.tabIndex = -1
  row.focus({ preventScroll: true })
}

function htmx(): { process(element: Element): void } | undefined {
  return (globalThis as { htmx?: { process(element: Element): void } }).htmx
}
