import type { Clock } from "../clock.ts"
import { emptyDraft } from "../message.ts"
import type { Kept } from "./outbox.ts"
import { Outgoing, type Rows, type Surroundings } from "./outgoing.ts"
import type { Box } from "./restore.ts"
import type { Submission } from "./submission.ts"

/** What other pages have left behind, as far as this one can send it. */
export interface LeftBehind {
  /** The unsent messages of all sessions but this one (null: of none yet) that no page sends, in the order of submission. */
  left(except: string | null): Promise<ReadonlyMap<string | null, Kept[]>>
  /** Keeps a message for whichever page of its session comes first. */
  leave(kept: Kept, session: string | null): void
  drop(requestId: string): void
}

export interface ElsewhereOptions extends Pick<Surroundings, "post" | "newId" | "signIn"> {
  clock: Clock
  outbox: LeftBehind
  /** A message was refused: the next page of its session shows it. */
  failed(): void
}

/**
 * Sends what was left behind in sessions that this page does not show. It goes
 * the way of every message, under its request id, only without a row: one that
 * another page sends at the same time counts once.
 */
export class Elsewhere {
  readonly #options: ElsewhereOptions
  readonly #under = new Map<string, Outgoing>()

  constructor(options: ElsewhereOptions) {
    this.#options = options
  }

  /** Looks for messages, and tries those again that have waited. */
  async send(shown: string | null): Promise<void> {
    for (const outgoing of this.#under.values()) outgoing.nudge()
    for (const [session, left] of await this.#options.outbox.left(shown)) {
      const fresh = left.filter(({ requestId }) => !this.#under.has(requestId))
      if (fresh.length === 0) continue
      const outgoing = new Outgoing(session, this.#around())
      for (const { requestId } of fresh) this.#under.set(requestId, outgoing)
      outgoing.resume(fresh)
    }
  }

  #around(): Surroundings {
    const { clock, failed, newId, outbox, post, signIn } = this.#options
    const rows: Rows = { ...nowhere, stand: ({ phase }: Submission) => phase === "failed" && failed() }
    return {
      rows, box, clock, newId, post, signIn,
      outbox: {
        keep: (kept, session) => outbox.leave(kept, session),
        drop: (requestId) => {
          this.#under.delete(requestId)
          outbox.drop(requestId)
        },
      },
      adopt: () => {},
      restored: () => {},
    }
  }
}

/** The rows of a session that no page here shows: what the log has of a message is its past. */
const nowhere: Omit<Rows, "stand"> = {
  isBusy: () => false,
  has: () => false,
  isPast: () => true,
  place: () => {},
  move: () => {},
  rename: () => {},
  remove: () => {},
}

/** The message box belongs to the session that the page shows. */
const box: Box = { get: () => emptyDraft, set: () => {}, isEmpty: () => false, isComposing: () => false }
