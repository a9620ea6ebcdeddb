/** A row and where it stands in the window, in pixels from its top. */
export interface Anchor {
  readonly row: Element
  readonly top: number
}

/** The first row that is seen below an edge; null where there is none. Children are rows, groups of rows (.behind), and others, in order. */
export function anchorBelow(edge: number, children: HTMLCollection): Anchor | null {
  // Only the group that is seen is looked into: the others are not laid out.
  for (let i = firstBelow(edge, children); i < children.length; i++) {
    const child = children[i] as Element
    const row = child.className === "behind" ? child.children[firstBelow(edge, child.children)] : child.matches("article") ? child : undefined
    if (row) return { row, top: row.getBoundingClientRect().top }
  }
  return null
}

/** The first element that ends below an edge, found in few steps. */
function firstBelow(edge: number, elements: HTMLCollection): number {
  let low = 0
  let high = elements.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((elements[middle] as Element).getBoundingClientRect().bottom > edge) high = middle
    else low = middle + 1
  }
  return low
}

/** How far a row has moved since, in pixels; 0 where it is gone. */
export function drift(anchor: Anchor): number {
  return anchor.row.isConnected ? anchor.row.getBoundingClientRect().top - anchor.top : 0
}
