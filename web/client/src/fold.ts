import wide from "./wide.json"

/**
 * On which screens a message is surely too long to be shown whole: "wide"
 * (any), "narrow", or "" for none. The same rule as the server's foldOf, so
 * that a bubble does not change its height when its message is confirmed.
 */
export function foldOf(content: string): "" | "narrow" | "wide" {
  let onWide = 0
  let onNarrow = 0
  for (let from = 0; from < content.length; ) {
    const newline = content.indexOf("\n", from)
    const to = newline < 0 ? content.length : newline + 1
    const columns = columnsOf(content, from, to)
    onWide += Math.floor(columns / wideLine) + 1
    onNarrow += Math.floor(columns / narrowLine) + 1
    if (onWide > foldLines) return "wide"
    from = to
  }
  return onNarrow > foldLines ? "narrow" : ""
}

const foldLines = 17
const wideLine = 84
const narrowLine = 34

/** Counts the columns of a line, up to as many as decide. */
function columnsOf(content: string, from: number, to: number): number {
  let columns = 0
  for (let i = from; i < to; ) {
    const r = content.codePointAt(i)!
    columns += isWide(r) ? 2 : 1
    if (columns > wideLine * foldLines) break
    i += r > 0xffff ? 2 : 1
  }
  return columns
}

/** Whether a character takes two columns (Unicode's East Asian Width W and F). */
export function isWide(r: number): boolean {
  if (r <= 0x1100) return false
  let [low, high] = [0, wide.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = wide[middle] as [number, number]
    if (r < first) high = middle - 1
    else if (r > last) low = middle + 1
    else return true
  }
  return false
}
