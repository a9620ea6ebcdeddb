/**
 * A place in a session's log: after event `seq`, and after piece `n` of the
 * block that is open after it (0: none).
 */
export interface Cursor {
  readonly seq: number
  readonly n: number
}

/** Reads "12" or "12.3"; null is what no cursor looks like. */
export function parseCursor(text: string): Cursor | null {
  const match = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text)
  return match && { seq: Number(match[1]), n: Number(match[2] ?? 0) }
}

export function formatCursor(cursor: Cursor): string {
  return cursor.n === 0 ? String(cursor.seq) : `${cursor.seq}.${cursor.n}`
}

/** Whether a is later than b. */
export function isAfter(a: Cursor, b: Cursor): boolean {
  return a.seq > b.seq || (a.seq === b.seq && a.n > b.n)
}

/**
 * Whether something is missing between two cursors, the second the later one.
 * Every event has a cursor of its own, so that numbers follow each other;
 * pieces come several at a time, and belong to the last event.
 */
export function leavesGap(from: Cursor, to: Cursor): boolean {
  return to.n > 0 ? to.seq !== from.seq : to.seq > from.seq + 1
}
