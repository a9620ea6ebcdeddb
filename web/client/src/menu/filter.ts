import { match } from "./match.ts"
import type { Span } from "./segments.ts"

export interface Hit<T> {
  value: T
  /** What of the name was looked for. */
  matches: Span[]
}

/** Those whose name fits a query, the best first, and as they came where they fit alike. */
export function filter<T>(values: readonly T[], query: string, name: (value: T) => string): Hit<T>[] {
  return values
    .map((value) => ({ value, found: match(query, name(value)) }))
    .flatMap(({ value, found }) => (found ? [{ value, matches: found.spans, rank: found.rank }] : []))
    .sort((a, b) => a.rank - b.rank)
}

/** Puts values into groups, which come in the order of their first values, or in the given order where there is no query. */
export function grouped<T, G extends string>(hits: readonly T[], groupOf: (hit: T) => G, order: readonly G[] | null): [G, T[]][] {
  const groups = new Map<G, T[]>((order ?? []).map((group) => [group, []]))
  for (const hit of hits) {
    const group = groups.get(groupOf(hit))
    if (group) group.push(hit)
    else groups.set(groupOf(hit), [hit])
  }
  return [...groups].filter(([, members]) => members.length > 0)
}
