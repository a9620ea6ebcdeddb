import type { Group, Item } from "./item.ts"
import { visible } from "../visible.ts"
import { element, optionOf, type Pen } from "./option.ts"
import type { Place } from "./place.ts"

/** What a pointer or assistive technology did. */
export interface ListboxHost {
  pick(item: Item): void
  drill(item: Item): void
  /** The list has the focus, which belongs to the message box. */
  focused(): void
  /** Another line is selected. */
  selected(): void
}

/** How many lines a key goes. Home and End are the text's. */
const steps = new Map([["ArrowDown", 1], ["ArrowUp", -1], ["PageDown", 8], ["PageUp", -8]])

/**
 * The list of a menu. Focus stays in the message box, which names the selected
 * line by aria-activedescendant. Below the list there may be a note; without
 * lines the note is all there is, and no listbox.
 */
export class Listbox {
  /** The list with its note. */
  readonly element: HTMLElement
  readonly #list: HTMLElement
  readonly #note: HTMLElement
  readonly #pen: Pen
  readonly #host: ListboxHost
  #items: Item[] = []
  #options: HTMLElement[] = []
  #selected = -1
  /** The person has moved the selection since the list was opened. */
  #moved = false

  constructor(pen: Pen, id: string, label: string, host: ListboxHost) {
    this.#pen = pen
    this.#host = host
    this.#list = element(pen.document, "div", "menu-list")
    this.#list.id = id
    this.#list.setAttribute("role", "listbox")
    this.#list.setAttribute("aria-label", label)
    this.#list.tabIndex = 0 // what scrolls has to be reachable; Tab never gets here while it picks
    this.#note = element(pen.document, "p", "menu-note")
    this.element = element(pen.document, "div", "menu")
    this.element.append(this.#list, this.#note)
    // On top of everything else on the page, whatever clips or stacks it there.
    this.element.setAttribute("popover", "manual")
    this.#listen()
    this.show([], "")
  }

  /** The listbox' id, and the selected option's; null while there are none. */
  get active(): { list: string; option: string } | null {
    const option = this.#options[this.#selected]
    return option ? { list: this.#list.id, option: option.id } : null
  }

  get selected(): Item | null {
    return this.#items[this.#selected] ?? null
  }

  get size(): number {
    return this.#items.length
  }

  /** Shows other lines, and a note if it is not "". A line that the person selected stays selected while it is there. */
  show(groups: readonly Group[], note: string): void {
    const kept = this.#moved ? this.selected?.value : undefined
    const filled = groups.filter((group) => group.items.length > 0)
    this.#items = filled.flatMap((group) => group.items)
    this.#options = this.#items.map((item, i) => optionOf(this.#pen, item, `${this.#list.id}-${i}`))
    let next = 0
    this.#list.replaceChildren(...filled.map((group) => {
      const options = this.#options.slice(next, (next += group.items.length))
      return this.#group(group.label, options, filled.length > 1)
    }))
    this.#list.hidden = this.#items.length === 0
    this.#note.textContent = note
    this.#note.hidden = note === ""
    const at = kept === undefined ? -1 : this.#items.findIndex((item) => item.value === kept)
    this.#moved = at >= 0
    this.#list.scrollTop = 0
    this.#select(Math.max(at, 0))
  }

  #group(label: string, options: HTMLElement[], labelled: boolean): HTMLElement {
    const group = element(this.#pen.document, "div", "menu-group")
    group.setAttribute("role", "group")
    group.setAttribute("aria-label", visible(label))
    if (labelled) {
      const shown = element(this.#pen.document, "div", "menu-label", visible(label))
      shown.setAttribute("aria-hidden", "true") // the group's name says it
      group.append(shown)
    }
    group.append(...options)
    return group
  }

  /** Moves the selection by a key: arrows go around the ends, pages stop there. false where the key is none of the list's. */
  keydown(key: string): boolean {
    const by = steps.get(key)
    const size = this.#items.length
    if (by === undefined || size === 0) return false
    const to = this.#selected + by
    this.#go(Math.abs(by) === 1 ? (to + size) % size : Math.min(Math.max(to, 0), size - 1))
    return true
  }

  #go(to: number): void {
    this.#moved = true
    this.#select(to)
    this.#host.selected()
  }

  #select(to: number): void {
    this.#options[this.#selected]?.setAttribute("aria-selected", "false")
    this.#selected = this.#items.length === 0 ? -1 : to
    const option = this.#options[this.#selected]
    if (!option) return
    option.setAttribute("aria-selected", "true")
    this.#reveal(option)
  }

  /** Scrolls the list, and nothing around it. */
  #reveal(option: HTMLElement): void {
    const list = this.#list.getBoundingClientRect()
    const line = option.getBoundingClientRect()
    if (line.top < list.top) this.#list.scrollTop -= line.top - list.top + 4
    else if (line.bottom > list.bottom) this.#list.scrollTop += line.bottom - list.bottom + 4
  }

  /** Makes the menu part of the page, in parent, and shows it. */
  open(parent: HTMLElement): void {
    if (this.element.isConnected) return
    parent.append(this.element)
    this.element.showPopover?.()
  }

  close(): void {
    this.element.remove()
  }

  /** What the menu would measure without limits. */
  measure(): { width: number; height: number } {
    this.element.style.width = this.element.style.maxHeight = ""
    const { width, height } = this.element.getBoundingClientRect()
    return { width, height }
  }

  place(place: Place): void {
    const style = this.element.style
    style.left = `${place.left}px`
    style.width = `${place.width}px`
    style.maxHeight = `${place.height}px`
    const height = this.element.getBoundingClientRect().height
    style.top = `${place.side === "above" ? place.edge - height : place.edge}px`
    this.element.dataset["side"] = place.side
    const selected = this.#options[this.#selected]
    if (selected) this.#reveal(selected)
  }

  #listen(): void {
    // Focus, and with it the soft keyboard, stays with the message box.
    this.element.addEventListener("mousedown", (event) => event.preventDefault())
    this.#list.addEventListener("focus", () => this.#host.focused())
    // A click, not a press: a finger that scrolls the list picks nothing.
    this.element.addEventListener("click", (event) => {
      const item = this.#items[this.#at(event)]
      if (!item) return
      if (item.drill && event.target instanceof Element && event.target.closest(".option-open")) this.#host.drill(item)
      else this.#host.pick(item)
    })
    this.element.addEventListener("pointermove", (event) => this.#hover(event))
  }

  /** A list that moves under a resting pointer is no choice. */
  #hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || (event.movementX === 0 && event.movementY === 0)) return
    const at = this.#at(event)
    if (at >= 0 && at !== this.#selected) this.#go(at)
  }

  #at(event: Event): number {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=option]") : null
    return option ? this.#options.indexOf(option) : -1
  }
}
