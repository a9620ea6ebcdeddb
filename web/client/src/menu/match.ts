import type { Span } from "./segments.ts"

export interface Match {
  /** Smaller is better. */
  rank: number
  spans: Span[]
}

/**
 * Looks for a query in a name, letters of either case alike: at its start, at
 * a word's start, anywhere, or as letters in that order. null where it is not
 * there. An empty query is in every name.
 */
export function match(query: string, name: string): Match | null {
  const wanted = fold(query)
  const text = fold(name)
  if (wanted === "") return { rank: 0, spans: [] }
  if (text.startsWith(wanted)) return { rank: wanted.length === text.length ? 0 : 1, spans: [[0, wanted.length]] }
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(text[at - 1]!)) return { rank: 2, spans: [[at, at + wanted.length]] }
  }
  const at = text.indexOf(wanted)
  if (at >= 0) return { rank: 3, spans: [[at, at + wanted.length]] }
  const spans = scattered(wanted, text)
  return spans && { rank: 4 + spans.at(-1)![1] - spans[0]![0], spans }
}

function scattered(wanted: string, text: string): Span[] | null {
  const spans: [number, number][] = []
  let at = 0
  for (const letter of wanted) {
    at = text.indexOf(letter, at)
    if (at < 0) return null
    const last = spans.at(-1)
    if (last && last[1] === at) last[1] += letter.length
    else spans.push([at, at + letter.length])
    at += letter.length
  }
  return spans
}

/** Lower case, unit for unit: a letter that would change its length ("İ") stays, so that offsets hold. */
function fold(text: string): string {
  let folded = ""
  for (const letter of text) {
    const lower = letter.toLowerCase()
    folded += lower.length === letter.length ? lower : letter
  }
  return folded
}
