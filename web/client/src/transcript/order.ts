/** What decides where a row stands. */
export interface Ranked {
  readonly dataset: { readonly [name: string]: string | undefined }
}

const openBlock = Number.MAX_SAFE_INTEGER - 1
const unlogged = Number.MAX_SAFE_INTEGER

/**
 * The place of a row among others: as in the log, then the block that is being
 * written, then messages that are not in the log yet, in the order in which
 * they came.
 */
export function rank(row: Ranked): number {
  if (row.dataset["role"] === undefined) return -1 // no row: the link to older ones
  if (row.dataset["open"] !== undefined) return openBlock
  const seq = Number(row.dataset["seq"] ?? 0)
  return seq > 0 ? seq : unlogged
}

/** Whether a row is in the log for good. */
export function isLogged(row: Ranked): boolean {
  return rank(row) < openBlock
}

/** The row before which another belongs, of rows in order; null: at the end. itself is not looked at. */
export function nextOf<Row extends Ranked>(row: Row, rows: ArrayLike<Row>): Row | null {
  const place = rank(row)
  let next: Row | null = null
  for (let i = rows.length - 1; i >= 0; i--) {
    const other = rows[i] as Row
    if (other === row) continue
    if (rank(other) <= place) break
    next = other
  }
  return next
}
