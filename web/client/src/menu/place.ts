/** A rectangle in CSS pixels, as getBoundingClientRect counts them. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export type Side = "above" | "below"

/** What a menu's place depends on. */
export interface Scene {
  /** What is seen of the page: not what a soft keyboard covers. */
  viewport: Box
  /** The lines from the token's start to the caret; left is where the token starts, right where a menu ends that grows to the left. */
  token: Box
  /** The message box. */
  composer: Box
  /** What the menu would be without limits. */
  width: number
  height: number
  /** The text runs from right to left. */
  rtl: boolean
  /** Where the menu is already: it stays there while it can. */
  side: Side | null
}

export interface Place {
  side: Side
  left: number
  width: number
  /** The menu's bottom edge where it is above, else its top edge. */
  edge: number
  /** How high the menu may be. */
  height: number
}

const gap = 6
const margin = 8
/** A narrower viewport gives the menu the message box' whole width. */
const narrow = 480
/** Below this a menu is no use: it goes to the roomier side. */
const least = 96

/** Puts a menu next to the token, inside the viewport, and never over the lines that are being written. */
export function place(scene: Scene): Place {
  const above = scene.token.top - gap - (scene.viewport.top + margin)
  const below = scene.viewport.bottom - margin - (scene.token.bottom + gap)
  const side = sideFor(scene, above, below)
  return {
    side,
    ...across(scene),
    edge: side === "above" ? scene.token.top - gap : scene.token.bottom + gap,
    height: Math.max(0, Math.min(scene.height, side === "above" ? above : below)),
  }
}

function sideFor(scene: Scene, above: number, below: number): Side {
  if (scene.side === "above" && above >= Math.min(scene.height, least)) return "above"
  if (scene.side === "below" && below >= Math.min(scene.height, least)) return "below"
  if (above >= scene.height) return "above"
  if (below >= scene.height) return "below"
  return above >= below ? "above" : "below"
}

function across(scene: Scene): { left: number; width: number } {
  const from = scene.viewport.left + margin
  const to = scene.viewport.right - margin
  if (to - from <= narrow) {
    const left = Math.max(from, scene.composer.left)
    return { left, width: Math.min(to, scene.composer.right) - left }
  }
  const width = Math.min(scene.width, to - from)
  const wanted = scene.rtl ? scene.token.right - width : scene.token.left
  return { left: Math.min(Math.max(wanted, from), to - width), width }
}
