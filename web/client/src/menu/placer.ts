import { Direction, type EditorView } from "@codemirror/view"
import type { Token } from "./item.ts"
import type { Listbox } from "./listbox.ts"
import { place, type Box, type Side } from "./place.ts"

/** Keeps an open menu where it belongs: beside its token, whatever moves. */
export class Placer {
  readonly #view: EditorView
  #placed: { list: Listbox; token: Token } | null = null
  #side: Side | null = null
  readonly #moved = (): void => this.#request()

  constructor(view: EditorView) {
    this.#view = view
  }

  /** What menus are put in: the form around the message box. */
  get parent(): HTMLElement {
    return this.#view.dom.closest("form") ?? this.#view.dom.parentElement ?? this.#view.dom.ownerDocument.body
  }

  /** Places a list at a token, and again when something moves. */
  follow(list: Listbox, token: Token): void {
    if (!this.#placed) this.#listen("addEventListener")
    this.#placed = { list, token }
    this.#request()
  }

  stop(): void {
    if (this.#placed) this.#listen("removeEventListener")
    this.#placed = this.#side = null
  }

  #listen(how: "addEventListener" | "removeEventListener"): void {
    const window = this.#view.dom.ownerDocument.defaultView
    window?.[how]("resize", this.#moved)
    window?.[how]("scroll", this.#moved, true)
    window?.visualViewport?.[how]("resize", this.#moved)
    window?.visualViewport?.[how]("scroll", this.#moved)
  }

  #request(): void {
    this.#view.requestMeasure({ key: this, read: () => this.#measure(), write: (read) => this.#place(read) })
  }

  #place(read: { token: Box; rtl: boolean } | null): void {
    const list = this.#placed?.list
    if (!list || !read || !list.element.isConnected) return
    const at = place({
      ...list.measure(),
      viewport: this.#viewport(),
      ...read,
      composer: this.parent.getBoundingClientRect(),
      side: this.#side,
    })
    this.#side = at.side
    list.place(at)
  }

  #measure(): { token: Box; rtl: boolean } | null {
    const token = this.#placed?.token
    if (!token || token.to > this.#view.state.doc.length) return null
    return { token: this.#boxOf(token), rtl: this.#view.textDirectionAt(token.from) === Direction.RTL }
  }

  /** The lines from the token's start to the caret, as far as the message box shows them. */
  #boxOf(token: Token): Box {
    const box = this.#view.scrollDOM.getBoundingClientRect()
    const from = this.#view.coordsAtPos(token.from, 1) ?? box
    const to = this.#view.coordsAtPos(token.to, -1) ?? box
    return {
      left: from.left,
      right: from.right,
      top: Math.max(Math.min(from.top, to.top), box.top),
      bottom: Math.min(Math.max(from.bottom, to.bottom), box.bottom),
    }
  }

  /** What is seen of the page. A soft keyboard takes from the visual viewport. */
  #viewport(): Box {
    const window = this.#view.dom.ownerDocument.defaultView!
    const seen = window.visualViewport
    if (!seen) return { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight }
    const { offsetLeft: left, offsetTop: top, width, height } = seen
    return { left, top, right: left + width, bottom: top + height }
  }
}
