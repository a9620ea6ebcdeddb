import { isCommand, type Mark, type Tag } from "./message.ts"
import { shown, visible } from "./visible.ts"

/** What is drawn of a reference. */
export interface Face {
  /** Picks the icon; "" where there is none. */
  kind: string
  label: string
  value: string
}

const builtIn = new Set(["file", "extension", "mcp", "session", "skill"])

/**
 * What the server will draw of a tag once it is stored: fields that it drops
 * are dropped, built-in kinds show the value alone.
 */
export function faceOf(tag: Tag): Face {
  const kind = /^[a-z0-9][a-z0-9._:-]{0,63}$/.test(tag.kind ?? "") ? tag.kind! : ""
  const value = shown(field(tag.value, 1024))
  const label = builtIn.has(kind) && value !== "" ? "" : shown(field(tag.label, 256))
  return { kind, label, value }
}

function field(value: string | undefined, limit: number): string {
  return value === undefined || value.length > limit || value.includes("\0") ? "" : value
}

/** Whether the server makes a chip of a mark. */
export function drawable(mark: Mark): mark is Exclude<Mark, { type: "command" }> {
  return !isCommand(mark) && mark.id.length <= 256 && !mark.id.includes("\0")
}

/** Draws chips and their icons from the templates of the page. */
export class Chips {
  readonly #template: Element
  readonly #icons: DocumentFragment

  constructor(document: Document) {
    const chip = templateOf(document, "chip-template").firstElementChild
    if (!chip) throw new Error("#chip-template is empty")
    this.#template = chip
    this.#icons = templateOf(document, "icons")
  }

  /** The icon of a kind, the generic one where the kind is not known. */
  icon(kind: string): Element {
    const holders = [...this.#icons.children]
    const holder = holders.find((one) => one.getAttribute("data-kind") === kind) ?? holders.find((one) => one.getAttribute("data-kind") === "")
    const icon = holder?.firstElementChild
    if (!icon) throw new Error("#icons has no generic icon")
    return icon.cloneNode(true) as Element
  }

  /** A chip that covers text; at is where it stands in its message, if it does. */
  draw(tag: Tag, text: string, at?: { start: number; end: number }): HTMLElement {
    const chip = this.#template.cloneNode(true) as HTMLElement
    const face = faceOf(tag)
    chip.setAttribute("aria-label", face.kind === "" ? text : `${face.kind} ${text}`)
    chip.setAttribute("title", text)
    chip.setAttribute("data-kind", face.kind)
    chip.setAttribute("data-id", tag.id)
    for (const name of ["start", "end"] as const) {
      if (at) chip.setAttribute(`data-${name}`, String(at[name]))
      else chip.removeAttribute(`data-${name}`)
    }
    chip.firstElementChild!.replaceWith(this.icon(face.kind))
    drawFace(chip.querySelector(".chip-face")!, face, text)
    chip.querySelector(".chip-text")!.textContent = text
    return chip
  }
}

function drawFace(element: Element, { label, value }: Face, text: string): void {
  if (label !== "" && value !== "") element.setAttribute("data-label", label)
  else element.removeAttribute("data-label")
  element.setAttribute("data-value", value || label || visible(text))
}

/** The content of a template of the page. */
export function templateOf(document: Document, id: string): DocumentFragment {
  const template = document.getElementById(id)
  if (!(template instanceof HTMLTemplateElement)) throw new Error(`the page has no template #${id}`)
  return template.content
}
