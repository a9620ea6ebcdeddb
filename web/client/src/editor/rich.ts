import { history } from "@codemirror/commands"
import { EditorState, type Extension, type Text } from "@codemirror/state"
import { EditorView, keymap, placeholder } from "@codemirror/view"
import { emptyDraft, type Draft } from "../message.ts"
import { attributesOf } from "./attributes.ts"
import { chips } from "./chips.ts"
import { clipboard } from "./clipboard.ts"
import { Composition } from "./composition.ts"
import { directions } from "./direction.ts"
import { dragging } from "./drag.ts"
import type { Editor, EditorHost, RichOptions } from "./editor.ts"
import { enterKeys } from "./enter.ts"
import { folding } from "./folds.ts"
import { guard } from "./guard.ts"
import { textKeys } from "./keymap.ts"
import { Listeners } from "./listeners.ts"
import { heldOf, marks, marksOf } from "./marks.ts"
import { recallKeys } from "./recall.ts"
import { saying } from "./say.ts"
import { swallowing } from "./swallow.ts"
import { takeOver } from "./takeover.ts"
import { typing } from "./typing.ts"

/** The message box with chips. Its document is the message's text exactly; decorations never edit it. */
export class RichEditor implements Editor {
  readonly element: HTMLElement
  readonly #view: EditorView
  readonly #host: EditorHost
  readonly #composition: Composition
  readonly #extensions: Extension
  readonly #listeners = new Listeners()
  readonly #giveBack: () => void
  /** The document as it was recalled; another one was touched. */
  #recalled: Text | null = null

  /** Takes the place of the textarea, which stays in the form. */
  constructor(textarea: HTMLTextAreaElement, options: RichOptions) {
    this.#host = options.host
    // Styles come into the page with the first state.
    this.#view = new EditorView({ extensions: EditorView.cspNonce.of(options.nonce) })
    this.element = this.#view.contentDOM
    this.#composition = new Composition(this.element)
    this.#extensions = this.#extend(textarea, options)
    this.#view.setState(this.#stateOf(options.draft))
    this.#giveBack = takeOver(textarea, this.#view)
  }

  get(): Draft {
    return { text: this.#view.state.doc.toString(), tags: marksOf(this.#view.state) }
  }

  set(draft: Draft): void {
    this.#recalled = null
    this.#view.setState(this.#stateOf(draft)) // a new state, and with it a new history
    this.#view.dispatch({ scrollIntoView: true })
    this.#listeners.tell(false)
  }

  take(): Draft {
    const draft = this.get()
    this.set(emptyDraft)
    return draft
  }

  isEmpty(): boolean {
    return this.#view.state.doc.length === 0
  }

  isComposing(): boolean {
    return this.#composition.running || this.#view.compositionStarted
  }

  focus(): void {
    this.#view.focus()
  }

  onChange(listener: (byPerson: boolean) => void): () => void {
    return this.#listeners.add(listener)
  }

  destroy(): void {
    this.#giveBack()
    this.#composition.destroy()
    this.#view.destroy()
  }

  #stateOf(draft: Draft): EditorState {
    return EditorState.create({
      doc: draft.text,
      selection: { anchor: draft.text.length },
      extensions: [this.#extensions, marks.init(() => heldOf(draft.tags))],
    })
  }

  #extend(textarea: HTMLTextAreaElement, { announce, chip, extensions = [], nonce, words }: RichOptions): Extension {
    const recall = recallKeys({
      applies: () => this.isEmpty() || this.#recalled === this.#view.state.doc,
      step: (direction) => this.#recall(this.#host.recall(direction)),
      leave: () => this.#recalled !== null && this.#recalled === this.#view.state.doc && this.#recall(emptyDraft),
    })
    return [
      extensions,
      EditorState.lineSeparator.of("\n"), // any other line end is a character of the text
      EditorState.tabSize.of(4),
      EditorState.phrases.of({ "Selection deleted": "" }), // the screen reader says so itself
      EditorView.cspNonce.of(nonce),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributesOf(textarea)),
      placeholder(textarea.placeholder),
      history(),
      chips(chip, words),
      folding(words),
      guard(words),
      saying(announce),
      swallowing,
      typing,
      directions,
      clipboard,
      dragging,
      keymap.of([...enterKeys(this.#composition, (other) => this.#host.submit(other)), ...recall, ...textKeys]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged || update.startState.field(marks) !== update.state.field(marks)) this.#listeners.tell(true)
      }),
    ]
  }

  #recall(draft: Draft | null): boolean {
    if (!draft) return false
    this.set(draft)
    this.#recalled = this.isEmpty() ? null : this.#view.state.doc
    return true
  }
}
