/** A range of UTF-16 units of a text, half open. */
export type Span = readonly [start: number, end: number]

export interface Segment {
  text: string
  marked: boolean
}

/** Cuts a text where spans begin and end. The segments joined are the text; spans are those of checkedSpans. */
export function segments(text: string, spans: readonly Span[]): Segment[] {
  const cut: Segment[] = []
  let at = 0
  for (const [start, end] of spans) {
    if (start > at) cut.push({ text: text.slice(at, start), marked: false })
    cut.push({ text: text.slice(start, end), marked: true })
    at = end
  }
  if (at < text.length) cut.push({ text: text.slice(at), marked: false })
  return cut
}

/**
 * Reads spans of a text that come from outside. What is no range of the text,
 * or overlaps one before it, is dropped; a span that cuts a surrogate pair is
 * widened to hold it whole.
 */
export function checkedSpans(value: unknown, text: string): Span[] {
  if (!Array.isArray(value)) return []
  const spans: Span[] = []
  let last = 0
  for (const entry of value) {
    if (!Array.isArray(entry) || !Number.isSafeInteger(entry[0]) || !Number.isSafeInteger(entry[1])) continue
    let [start, end] = entry as [number, number]
    if (start < 0 || start >= end || end > text.length) continue
    if (cutsPair(text, start)) start--
    if (cutsPair(text, end)) end++
    if (start < last) continue
    spans.push([start, end])
    last = end
  }
  return spans
}

function cutsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
