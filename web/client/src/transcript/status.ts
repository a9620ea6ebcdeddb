import type { Activity } from "./title.ts"

/** What the server's status says of a session; null where it does not name it. */
export function readStatus(json: unknown, id: string): Activity | null {
  const sessions = (json as { sessions?: unknown } | null)?.sessions
  if (!Array.isArray(sessions)) return null
  const session = (sessions as unknown[]).find((one) => (one as { id?: unknown } | null)?.id === id)
  if (!session) return null
  const { running, needsAnswer, lastSeq } = session as Record<string, unknown>
  return { running: running === true, asks: needsAnswer === true, lastSeq: typeof lastSeq === "number" ? lastSeq : 0 }
}
