import type { Mark } from "../message.ts"

/** A replacement in a text: from..to of the old text became `length` units from `from` on. */
export interface Change {
  from: number
  to: number
  length: number
}

/**
 * Finds what an edit replaced. caret is where the caret stands after it: it
 * settles which of several equal characters was typed or deleted.
 */
export function changeBetween(before: string, after: string, caret: number): Change {
  const shorter = Math.min(before.length, after.length)
  const behind = Math.min(shorter, after.length - caret)
  let tail = 0
  while (tail < behind && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++
  const ahead = shorter - tail
  let head = 0
  while (head < ahead && before.charCodeAt(head) === after.charCodeAt(head)) head++
  return { from: head, to: before.length - tail, length: after.length - tail - head }
}

/** The marks after a change: those behind it move, those that it touches inside are gone. */
export function mapMarks(marks: readonly Mark[], change: Change): Mark[] {
  const by = change.length - (change.to - change.from)
  return marks.flatMap((mark) => {
    if (mark.end <= change.from) return [mark]
    if (mark.start >= change.to) return [{ ...mark, start: mark.start + by, end: mark.end + by }]
    return []
  })
}
