import { runScopeHandlers, type EditorView } from "@codemirror/view"
import { Counter } from "./counter.ts"
import type { Found, Group, Item, Source, Token } from "./item.ts"
import { Latest } from "./latest.ts"
import { Listbox } from "./listbox.ts"
import type { Pen } from "./option.ts"
import { Placer } from "./placer.ts"

/** Milliseconds from a keystroke to its question: a burst asks once. */
const pause = 20
/** Milliseconds after which a list that is still empty says that it loads. */
const patience = 300
/** Milliseconds until a list that is not whole yet is asked for again, each time the double, and how often. */
const again = 500
const mostAgain = 5

export interface MenuHost extends Pen {
  /** Says something to assistive technology. */
  announce(text: string): void
}

/** The menu of one token, while it is open. */
export class OpenMenu {
  readonly source: Source
  readonly #view: EditorView
  readonly #host: MenuHost
  readonly #done: () => void
  readonly #latest = new Latest()
  readonly #placer: Placer
  readonly #counter: Counter
  readonly #list: Listbox
  #token: Token
  #groups: Group[] = []
  /** Enter or Tab, pressed before the answer was there. */
  #held: KeyboardEvent | null = null
  #asked = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** done is called when something was picked: the menu is to be closed. */
  constructor(view: EditorView, source: Source, token: Token, host: MenuHost, done: () => void) {
    this.source = source
    this.#view = view
    this.#token = token
    this.#host = host
    this.#done = done
    this.#placer = new Placer(view)
    this.#counter = new Counter((text) => host.announce(text))
    this.#list = new Listbox(host, source.id, source.label, {
      pick: (item) => this.#pick(item),
      drill: (item) => this.#drill(item),
      focused: () => view.focus(),
      selected: () => this.#refresh(),
    })
    this.#ask(0)
  }

  get token(): Token {
    return this.#token
  }

  get active(): Listbox["active"] {
    return this.#list.active
  }

  /** Goes on with what the token has become. */
  follow(token: Token): void {
    const before = this.#token
    this.#token = token
    if (token.query === before.query) return
    this.#held = null
    this.#ask(pause)
  }

  place(): void {
    if (this.#list.element.isConnected) this.#placer.follow(this.#list, this.#token)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#latest.cancel()
    this.#counter.stop()
    this.#placer.stop()
    this.#list.close()
  }

  #ask(delay: number): void {
    this.#latest.cancel()
    clearTimeout(this.#timer)
    this.#asked = 0
    const found = this.source.known(this.#token)
    if (found) return this.#show(found)
    this.#groups = this.source.narrow(this.#groups, this.#token)
    this.#draw("")
    this.#timer = setTimeout(() => this.#stillWaiting(), patience)
    this.#query(delay)
  }

  #query(delay: number): void {
    this.#asked++
    this.#latest.ask(
      delay,
      (signal) => this.source.query(this.#token, signal),
      (found) => this.#answered(found),
      () => this.#answered({ groups: [], gap: "failed" }),
    )
  }

  #stillWaiting(): void {
    const held = this.#held
    this.#held = null
    if (held && this.source.optional) return this.#pass(held)
    if (this.#groups.length === 0) this.#draw(this.#host.words.t("menu.loading"))
  }

  #answered(found: Found): void {
    const held = this.#held
    this.#held = null
    clearTimeout(this.#timer)
    // What a list already has is not lost because asking for the rest failed.
    if (this.#asked > 1 && found.gap !== "partial" && found.gap !== undefined) return
    this.#show(found)
    this.#refresh()
    if (found.gap === "partial" && this.#asked <= mostAgain) {
      this.#timer = setTimeout(() => this.#query(0), again * 2 ** (this.#asked - 1))
    }
    if (!held) return
    const done = this.#list.selected !== null && this.#choose(held)
    if (!done) this.#pass(held)
  }

  /** Gives a key that was held to the message box. */
  #pass(held: KeyboardEvent): void {
    if (held.key === "Enter") runScopeHandlers(this.#view, held, "editor")
  }

  #show(found: Found): void {
    this.#groups = found.groups.filter((group) => group.items.length > 0)
    const { words } = this.#host
    const gap = found.gap && (found.words || words.t(notes[found.gap]))
    const note = gap ?? (this.#groups.length === 0 ? words.t("menu.empty") : "")
    this.#draw(note)
    this.#counter.say(this.#list.size > 0 ? words.count("menu.count", this.#list.size) : note)
  }

  #draw(note: string): void {
    this.#list.show(this.#groups, note)
    if (this.#groups.length === 0 && note === "") return this.#list.close()
    this.#list.open(this.#placer.parent)
    this.place()
  }

  /** Writes the textbox' attributes anew. */
  #refresh(): void {
    this.#view.dispatch({})
  }

  /** Handles a key without modifiers; true where it was the menu's. */
  keydown(event: KeyboardEvent): boolean {
    if (event.key === "Enter" || event.key === "Tab") return this.#choose(event)
    const selected = this.#list.selected
    if (!selected) return false
    if (event.key === "ArrowRight") return selected.drill ? this.#drill(selected) : false
    return this.#list.keydown(event.key)
  }

  /** Enter picks what is selected; Tab does too, but opens a folder, as in a shell. */
  #choose(event: KeyboardEvent): boolean {
    const selected = this.#list.selected
    if (!selected) {
      if (this.#latest.pending && !this.#list.element.isConnected) this.#held = event
      return this.#held === event
    }
    if (event.key === "Tab" && selected.drill) return this.#drill(selected)
    if (event.key === "Enter" && selected.finish?.(this.#view, this.#token)) {
      this.#done()
      this.#refresh()
      return false
    }
    this.#pick(selected)
    return true
  }

  #pick(item: Item): void {
    this.#done()
    item.pick(this.#view, this.#token)
    this.#view.focus()
  }

  #drill(item: Item): true {
    item.drill!(this.#view, this.#token)
    this.#view.focus()
    return true
  }
}

/** The words for what may be missing in a list. */
const notes = { partial: "menu.partial", failed: "menu.failed", "signed-out": "signedout" } as const
