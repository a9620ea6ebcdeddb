import type { Words } from "../words.ts"
import type { Item } from "./item.ts"
import { segments, type Span } from "./segments.ts"
import { visible } from "../visible.ts"

/** What lines are drawn with. */
export interface Pen {
  document: Document
  words: Words
  /** A copy of the icon for a kind of reference. */
  icon(kind: string): Node
}

/** Draws one line of a menu. Nothing of an item is read as markup. */
export function optionOf(pen: Pen, item: Item, id: string): HTMLElement {
  const option = element(pen.document, "div", "option")
  option.id = id
  option.setAttribute("role", "option")
  option.setAttribute("aria-selected", "false")
  option.dataset["kind"] = item.kind
  option.dataset["value"] = item.value
  if (item.icon) option.append(icon(pen, item.kind))
  option.append(marked(pen, "option-title", item.title, item.matches))
  if (item.hint) option.append(" ", element(pen.document, "bdi", "option-hint", visible(item.hint)))
  if (item.detail) option.append(" ", marked(pen, "option-detail", item.detail, item.detailMatches))
  if (item.drill) {
    option.setAttribute("aria-keyshortcuts", "ArrowRight")
    option.append(" ", element(pen.document, "span", "vh", pen.words.t("menu.folder")), opener(pen))
  }
  return option
}

function icon(pen: Pen, kind: string): HTMLElement {
  const holder = element(pen.document, "span", "option-icon")
  holder.setAttribute("aria-hidden", "true")
  holder.append(pen.icon(kind))
  return holder
}

function marked(pen: Pen, name: string, text: string, matches: readonly Span[]): HTMLElement {
  const whole = element(pen.document, "bdi", name)
  whole.title = visible(text) // what does not fit can be read all the same
  for (const part of segments(text, matches)) {
    whole.append(part.marked ? element(pen.document, "mark", "", visible(part.text)) : visible(part.text))
  }
  return whole
}

/** What a finger or a mouse opens a folder with; keys have theirs. */
function opener(pen: Pen): HTMLElement {
  const holder = element(pen.document, "span", "option-open")
  holder.setAttribute("aria-hidden", "true")
  holder.title = pen.words.t("menu.open")
  return holder
}

export function element(document: Document, tag: string, name = "", text = ""): HTMLElement {
  const made = document.createElement(tag)
  if (name) made.className = name
  if (text) made.textContent = text
  return made
}
