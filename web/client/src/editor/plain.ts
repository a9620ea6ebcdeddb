import { parseDraft } from "../parse.ts"
import { emptyDraft, type Draft } from "../message.ts"
import { changeBetween, mapMarks } from "./change.ts"
import { Composition } from "./composition.ts"
import type { Editor, EditorHost } from "./editor.ts"
import { Listeners } from "./listeners.ts"
import { draftWithLF, withLF } from "./newline.ts"
import { isCoarse } from "./pointer.ts"

/**
 * The page's textarea as a message box: what there is until the rich one has
 * loaded, and where it cannot. It draws no chips, but the tags of a stored
 * draft stay with the text that they stand for.
 */
export class PlainEditor implements Editor {
  readonly element: HTMLTextAreaElement
  readonly composition: Composition
  readonly #host: Pick<EditorHost, "submit">
  readonly #listeners = new Listeners()
  readonly #stop = new AbortController()
  #draft: Draft = emptyDraft
  /** The textarea's value when #draft was up to date. */
  #shown = ""

  /** tags is the JSON of the tags that stand in the textarea's text as the server sent it. */
  constructor(textarea: HTMLTextAreaElement, tags: string, host: Pick<EditorHost, "submit">) {
    this.element = textarea
    this.#host = host
    this.composition = new Composition(textarea)
    this.#adopt(tags)
    textarea.addEventListener("keydown", (event) => this.#press(event), { signal: this.#stop.signal })
    textarea.addEventListener("input", () => this.#changed(true), { signal: this.#stop.signal })
  }

  get(): Draft {
    this.#read()
    return this.#draft
  }

  set(draft: Draft): void {
    this.#show(draft)
    this.#listeners.tell(false)
  }

  take(): Draft {
    const draft = this.get()
    this.set(emptyDraft)
    return draft
  }

  isEmpty(): boolean {
    return this.element.value === ""
  }

  isComposing(): boolean {
    return this.composition.running
  }

  focus(): void {
    this.element.focus()
  }

  onChange(listener: (byPerson: boolean) => void): () => void {
    return this.#listeners.add(listener)
  }

  destroy(): void {
    this.#stop.abort()
    this.composition.destroy()
  }

  /** Reads what the server sent. A browser that brings back what was typed before a reload has put that over it. */
  #adopt(tags: string): void {
    if (document.activeElement !== this.element) this.element.setSelectionRange(this.element.value.length, this.element.value.length)
    const sent = this.element.defaultValue
    const asSent = this.element.value === withLF(sent)
    const draft = parseDraft(sent, tags)
    if (asSent && draft.text !== sent) return this.#show(draft) // tags without a range come before the text
    this.#draft = draft
    this.#shown = withLF(draft.text)
  }

  #show(draft: Draft): void {
    this.#draft = draft
    this.element.value = draft.text
    this.#shown = this.element.value
    this.element.setSelectionRange(this.#shown.length, this.#shown.length)
  }

  /** Takes over what has been typed since. */
  #read(): void {
    const value = this.element.value
    if (value === this.#shown) return
    const { tags } = draftWithLF(this.#draft)
    const change = tags.length > 0 && changeBetween(this.#shown, value, this.element.selectionEnd)
    this.#draft = { text: value, tags: change ? mapMarks(tags, change) : [] }
    this.#shown = value
  }

  #changed(byPerson: boolean): void {
    this.#read()
    this.#listeners.tell(byPerson)
  }

  #press(event: KeyboardEvent): void {
    if (event.key !== "Enter" || this.composition.ownsKey || event.shiftKey || event.altKey) return
    if (isCoarse() && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    this.#host.submit(event.ctrlKey || event.metaKey)
  }
}
