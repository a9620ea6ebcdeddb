import type { Draft } from "../message.ts"
import type { Mode, Reason } from "./submission.ts"

/** A message that the server is not known to have. */
export interface Kept {
  requestId: string
  message: Draft
  mode: Mode
  /** Why it was not sent; null: it is on its way, or waits to be. */
  reason: Reason | null
}

/** Keeps what the server is not known to have, for longer than a page lives. */
export interface Outbox {
  /** Keeps a message of a session, or with null of the one that it begins, in place of what was kept under its id. */
  keep(kept: Kept, session: string | null): void
  drop(requestId: string): void
}
