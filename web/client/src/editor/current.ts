import type { Draft } from "../message.ts"
import type { Editor } from "./editor.ts"
import { Listeners } from "./listeners.ts"

/** The message box as the rest of the page knows it, whichever it is at the time. */
export class CurrentEditor implements Editor {
  #editor: Editor
  #unhear: () => void
  readonly #listeners = new Listeners()

  constructor(editor: Editor) {
    this.#editor = editor
    this.#unhear = this.#hear(editor)
  }

  /** Goes on with another editor, which holds the same message. */
  replace(editor: Editor): void {
    this.#unhear()
    this.#editor.destroy()
    this.#editor = editor
    this.#unhear = this.#hear(editor)
  }

  get element(): HTMLElement {
    return this.#editor.element
  }

  get(): Draft {
    return this.#editor.get()
  }

  set(draft: Draft): void {
    this.#editor.set(draft)
  }

  take(): Draft {
    return this.#editor.take()
  }

  isEmpty(): boolean {
    return this.#editor.isEmpty()
  }

  isComposing(): boolean {
    return this.#editor.isComposing()
  }

  focus(): void {
    this.#editor.focus()
  }

  onChange(listener: (byPerson: boolean) => void): () => void {
    return this.#listeners.add(listener)
  }

  destroy(): void {
    this.#unhear()
    this.#editor.destroy()
  }

  #hear(editor: Editor): () => void {
    return editor.onChange((byPerson) => this.#listeners.tell(byPerson))
  }
}
