import type { Answer } from "../http.ts"
import type { Found } from "./item.ts"

/** Asks our server for JSON; never throws. The signal gives up. */
export type Getter = (url: string, signal?: AbortSignal) => Promise<Answer>

/** An address with what is asked for; what is null is left out. */
export function addressOf(url: string, query: Record<string, string | null>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null)
  const search = new URLSearchParams(pairs).toString()
  return search === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${search}`
}

/** What an answer that brings no lines means for a list. */
export function gapOf(answer: Answer): NonNullable<Found["gap"]> {
  return answer.kind === "signed-out" ? "signed-out" : "failed"
}
