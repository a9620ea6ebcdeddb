import { MapMode, Transaction } from "@codemirror/state"
import type { EditorView, PluginValue, ViewUpdate } from "@codemirror/view"
import type { Source, Token } from "./item.ts"
import { OpenMenu, type MenuHost } from "./open.ts"

interface Place {
  source: Source
  token: Token
}

/**
 * The menu of a message box. It opens when a person's typing leaves the caret
 * at the end of a token, follows the token while it changes, and closes when
 * it is gone. It decides by changes of the document and not by keys: soft
 * keyboards do not say which key was pressed.
 */
export class Menu implements PluginValue {
  readonly #view: EditorView
  readonly #sources: readonly Source[]
  readonly #host: MenuHost
  #open: OpenMenu | null = null
  /** Closed with Escape: no menu for the token that starts there. */
  #dismissed: { source: Source; from: number } | null = null

  constructor(view: EditorView, sources: readonly Source[], host: MenuHost) {
    this.#view = view
    this.#sources = sources
    this.#host = host
  }

  /** What the textbox says about the menu. It is no combobox: aria-expanded is not for it. */
  get attributes(): Record<string, string> | null {
    const active = this.#open?.active
    return active ? { "aria-controls": active.list, "aria-activedescendant": active.option } : null
  }

  update(update: ViewUpdate): void {
    if (this.#dismissed && update.docChanged) {
      const from = update.changes.mapPos(this.#dismissed.from, 1, MapMode.TrackAfter)
      this.#dismissed = from === null ? null : { ...this.#dismissed, from }
    }
    if (update.docChanged || update.selectionSet) this.#follow(this.#find(), update.transactions.some(isTyping))
    if (update.focusChanged && !update.view.hasFocus) this.#close()
    if (update.docChanged || update.geometryChanged) this.#open?.place()
  }

  destroy(): void {
    this.#close()
  }

  /** Handles a key of the message box; true where it was the menu's. */
  keydown(event: KeyboardEvent): boolean {
    const open = this.#open
    if (!open || composes(event) || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false
    if (event.key !== "Escape") return open.keydown(event)
    this.#dismissed = { source: open.source, from: open.token.from }
    this.#close()
    this.#view.dispatch({}) // writes the textbox' attributes anew
    return true
  }

  #find(): Place | null {
    for (const source of this.#sources) {
      const token = source.find(this.#view)
      if (token) return { source, token }
    }
    return null
  }

  #follow(found: Place | null, typed: boolean): void {
    const open = this.#open
    if (found && open?.source === found.source && open.token.from === found.token.from) return open.follow(found.token)
    this.#close()
    if (!found || !typed) return
    if (this.#dismissed?.source === found.source && this.#dismissed.from === found.token.from) return
    this.#open = new OpenMenu(this.#view, found.source, found.token, this.#host, () => this.#close())
  }

  #close(): void {
    this.#open?.close()
    this.#open = null
  }
}

/** Whether a person typed: text that was pasted or dropped, or came back by undo, asks for nothing. */
function isTyping(tr: Transaction): boolean {
  const event = tr.annotation(Transaction.userEvent) ?? ""
  return tr.docChanged && /^(input|delete)(\.|$)/.test(event) && !/^input\.(paste|drop)/.test(event)
}

/** A key that an input method takes. */
function composes(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}
