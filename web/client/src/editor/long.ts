/** A paste with more lines than this is folded: it would push what was written out of the box. */
export const maxLines = 20

/** So is one with more UTF-16 units than this, however few its lines. */
export const maxUnits = 4000

/** Whether a pasted text is folded. */
export function isLong(text: string): boolean {
  return text.length > maxUnits || lineCount(text, maxLines + 1) > maxLines
}

/** How many lines a text has; counting may stop at `enough`. */
export function lineCount(text: string, enough = Infinity): number {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0 && lines < enough; at = text.indexOf("\n", at + 1)) lines++
  return lines
}
