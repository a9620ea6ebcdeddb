import type { Action, Standing } from "../bubble.ts"
import type { Words } from "../words.ts"
import type { Reason, Submission } from "./submission.ts"

/** How a message stands, in the page's words. */
export function standingOf(s: Submission, words: Words): Standing {
  switch (s.phase) {
    case "accepted":
    case "shown": {
      const state = s.accepted ?? "logged"
      return { state, words: state === "logged" ? "" : words.t(`state.${state}`), detail: "", steering: state === "steering", actions: [] }
    }
    case "failed":
    case "gone":
      return { state: "failed", words: words.t("state.failed"), detail: detailOf(s.reason, words), steering: false, actions: ["retry", "edit"] }
    case "signed-out":
      return { state: "sending", words: words.t("state.signin"), detail: "", steering: s.mode === "steer", actions: ["cancel"] }
    default:
      return pending(s, words)
  }
}

function pending(s: Submission, words: Words): Standing {
  const steering = s.mode === "steer"
  if (s.failures > 0) return { state: "sending", words: words.t("state.unconfirmed"), detail: "", steering, actions: ["cancel"] }
  // A button that comes and goes with each message would only be in the way.
  const actions: Action[] = s.slow ? ["cancel"] : []
  return { state: "sending", words: words.t("state.sending"), detail: "", steering, actions }
}

function detailOf(reason: Reason | undefined, words: Words): string {
  if (reason?.code === "cancelled") return words.t("failed.cancelled")
  if (reason?.message) return reason.message
  return words.t(reason?.code === "too_large" ? "failed.large" : "failed.refused")
}
