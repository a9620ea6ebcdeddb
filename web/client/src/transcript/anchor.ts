/** A row and where it stands in the window, in pixels from its top. */
export interface Anchor {
  readonly row: Element
  readonly top: number
}

/** The first row that is seen below an edge, found in few steps; null where there is none. Rows are in order. */
export function anchorBelow(edge: number, rows: HTMLCollection): Anchor | null {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as Element).getBoundingClientRect().bottom > edge) high = middle
    else low = middle + 1
  }
  const row = rows[low]
  return row ? { row, top: row.getBoundingClientRect().top } : null
}

/** How far a row has moved since, in pixels; 0 where it is gone. */
export function drift(anchor: Anchor): number {
  return anchor.row.isConnected ? anchor.row.getBoundingClientRect().top - anchor.top : 0
}
