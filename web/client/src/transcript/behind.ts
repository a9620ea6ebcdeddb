import { moveBefore } from "./morph.ts"

/** So many rows go together. */
const together = 100
/** The height of a row that was never laid out, in pixels. */
const guess = 120

/**
 * Rows that were left behind are kept in groups. A group costs nothing while it
 * is out of sight, where the browser can do that; a thousand rows, each for
 * itself, would.
 */
export function group(document: Document, rows: readonly Element[]): HTMLElement {
  const behind = document.createElement("div")
  behind.className = "behind"
  measure(behind, rows.length * guess)
  behind.append(...rows)
  return behind
}

/** Whether a row stands in a group. */
export function isBehind(row: Element): boolean {
  return row.parentElement?.className === "behind"
}

/** Groups the oldest rows of a transcript once there are many, and all of them far above the window. */
export function leaveBehind(transcript: Element): void {
  const rows = transcript.querySelectorAll(":scope > article")
  if (rows.length < 2 * together) return
  const leaving = [...rows].slice(0, together)
  const top = leaving[0]!.getBoundingClientRect().top
  const bottom = leaving.at(-1)!.getBoundingClientRect().bottom
  if (bottom > -window.innerHeight) return
  const behind = group(transcript.ownerDocument, [])
  measure(behind, bottom - top)
  transcript.insertBefore(behind, leaving[0]!)
  for (const row of leaving) moveBefore(behind, row, null)
}

/** How high a group counts until it is laid out. */
function measure(behind: HTMLElement, height: number): void {
  behind.style.setProperty("contain-intrinsic-block-size", `auto ${Math.round(height)}px`)
}
