import type { EditorView } from "@codemirror/view"
import type { Span } from "./segments.ts"

/** What stands in a text for something still to be chosen: from the character that starts it to the caret. */
export interface Token {
  /** UTF-16 offsets into the document, half open. `to` is the caret. */
  from: number
  to: number
  /** What to look for, as it was typed. */
  query: string
}

/** One line of a menu. */
export interface Item {
  /** Of the reference or command: data-kind. */
  kind: string
  icon: "kind" | "folder" | "none"
  /** Plain, unescaped: data-value. */
  value: string
  title: string
  /** What of the title was looked for, in order. */
  matches: Span[]
  /** Follows the title: what an argument may be. */
  hint: string
  /** Stands after them, smaller. */
  detail: string
  detailMatches: Span[]
  /** Puts what was chosen in place of the token. */
  pick(view: EditorView, token: Token): void
  /** For a folder: goes on with what is in it. */
  drill?(view: EditorView, token: Token): void
  /** Takes the token as it stands where it says all of the item already, and tells whether it does: Enter then goes on to what else it is for. */
  finish?(view: EditorView, token: Token): boolean
}

export interface Group {
  label: string
  items: Item[]
}

/** What was found for a token. */
export interface Found {
  groups: Group[]
  /** Why there may be more than that. */
  gap?: "partial" | "failed" | "signed-out"
  /** The server's own words for that; "" or nothing: ours. */
  words?: string
}

/** Where a menu's lines come from. */
export interface Source {
  /** The listbox' id. */
  readonly id: string
  /** The listbox' name. */
  readonly label: string
  /** What was typed is as good as what would be picked: an Enter that came too early is not kept back for long. */
  readonly optional?: boolean
  /** The token at the caret, or null. It is asked at every change: it must be fast and change nothing. */
  find(view: EditorView): Token | null
  /** What a token may become, where that needs no waiting. */
  known(token: Token): Found | null
  /** Asks what a token may become; the signal says that nobody waits any more. */
  query(token: Token, signal: AbortSignal): Promise<Found>
  /** Of the lines shown for what was typed before, those that may stay until the answer for the token is there. */
  narrow(groups: readonly Group[], token: Token): Group[]
}
