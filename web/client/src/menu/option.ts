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
  if (item.icon !== "none") option.append(icon(pen, item))
  option.append(marked(pen, "option-title", item.title, item.matches))
  if (item.hint) option.append(" ", element(pen.document, "bdi", "option-hint", visible(item.hint)))
  if (item.detail) option.append(" ", marked(pen, "option-detail", item.detail, item.detailMatches))
  if (item.drill) {
    option.setAttribute("aria-keyshortcuts", "ArrowRight")
    option.append(" ", element(pen.document, "span", "vh", pen.words.t("menu.folder")), opener(pen))
  }
  return option
}

function icon(pen: Pen, item: Item): HTMLElement {
  const holder = element(pen.document, "span", "option-icon")
  holder.setAttribute("aria-hidden", "true")
  holder.append(item.icon === "folder" ? folderIcon(pen.document) : pen.icon(item.kind))
  return holder
}

/** A folder is of the kind of its files, and so has no icon of a kind. */
function folderIcon(document: Document): SVGElement {
  const svg = "http://www.w3.org/2000/svg"
  const drawing = document.createElementNS(svg, "svg")
  drawing.setAttribute("class", "icon")
  drawing.setAttribute("viewBox", "0 0 16 16")
  const path = document.createElementNS(svg, "path")
  path.setAttribute("d", "M1.8 3.5h4.4l1.5 1.8h6.5v7.9H1.8z")
  drawing.append(path)
  return drawing
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
