import type { Submission } from "./submission.ts"

/** So many requests are under way at once at most: a browser has six connections to a host. */
export const abreast = 3

/** After so many requests without an answer the messages behind it are tried too. */
export const holdsFor = 3

/**
 * The message that may leave now, if any. Messages leave in the order of
 * submission, each when the one before it was answered: only so is the server's
 * order the person's. One whose request is slow, or that has failed again and
 * again, holds the others up no longer. While there is no session all wait for
 * the one that begins it.
 */
export function nextToLeave(lane: readonly Submission[], hasSession: boolean): Submission | null {
  let under = 0
  for (const s of lane) {
    switch (s.phase) {
      case "waiting":
        return under < abreast ? s : null
      case "sending":
        under++
        if (!s.slow || !hasSession) return null
        break
      case "unconfirmed":
        if (s.failures < holdsFor || !hasSession) return null
        break
      case "signed-out":
        return null
    }
  }
  return null
}
