import { Idiomorph } from "idiomorph"

/** What the reader opened stays open, and what htmx knows of an element stays known. */
const kept = new Set(["open", "data-htmx-powered"])

/**
 * Makes an element in the page like one from the server, changing as little as
 * can be: elements keep their identity, and with it focus, selection and
 * scrolling. Elements for which leave answers true stay as they are.
 */
export function morph(element: Element, like: Element, leave: (element: Element) => boolean = () => false): void {
  Idiomorph.morph(element, like, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeAttributeUpdated: (name) => !kept.has(name),
      beforeNodeMorphed: (node: Node, to) => {
        if (node instanceof Text) return !growText(node, to)
        if (!(node instanceof Element)) return true
        return !leave(node) && !node.isEqualNode(to)
      },
    },
  })
}

/** Appends to a text that grew: replacing it would let go of a selection in it. */
function growText(text: Text, like: Node): boolean {
  const value = like.nodeValue ?? ""
  if (!value.startsWith(text.data)) return false
  if (value.length > text.length) text.appendData(value.slice(text.length))
  return true
}

/** Moves an element. Its focus and a selection in it stay, and what runs in it where the browser can do that. */
export function moveBefore(parent: Element, element: Element, next: Element | null): void {
  const selection = selectionIn(element)
  const mover = parent as Element & { moveBefore?(node: Node, next: Node | null): void }
  if (mover.moveBefore && element.isConnected && parent.isConnected) {
    mover.moveBefore(element, next)
  } else {
    const focused = element.ownerDocument.activeElement
    parent.insertBefore(element, next)
    if (focused instanceof HTMLElement && element.contains(focused)) focused.focus({ preventScroll: true })
  }
  selection?.()
}

/** What brings a selection back that begins or ends in an element; null where there is none. */
function selectionIn(element: Element): (() => void) | null {
  const selection = element.ownerDocument.getSelection()
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection ?? {}
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return null
  if (!element.contains(anchorNode) && !element.contains(focusNode)) return null
  return () => selection.setBaseAndExtent(anchorNode, anchorOffset ?? 0, focusNode, focusOffset ?? 0)
}

/** Reads a fragment of our own server's: its elements, in no document yet. */
export function parse(html: string): Element[] {
  const template = document.createElement("template")
  template.innerHTML = html
  return [...template.content.children]
}
