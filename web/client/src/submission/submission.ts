import type { Draft } from "../message.ts"

/** Where a message stands on the page. */
export type Place = "transcript" | "queue"

/** Whether a message waits for the next turn, or enters the running one at its next step. */
export type Mode = "queue" | "steer"

export type Phase =
  | "waiting" // to leave as soon as its turn comes
  | "sending" // a request is under way
  | "unconfirmed" // the last request brought no answer; it will be tried again
  | "signed-out" // it will be tried again once the person has signed in
  | "accepted" // the server has it; its row is still to come
  | "shown" // the server's own row stands on the page
  | "failed" // definitely not accepted, or given up by the person
  | "gone" // taken back into the composer, or sent again from there

/** Why a message failed: our server's code and words, or "cancelled". */
export interface Reason {
  code: string
  message: string
}

/** One message on its way to the server. Values are never changed; step makes new ones. */
export interface Submission {
  /** The only correlation of echo, queue row and durable message. */
  readonly requestId: string
  readonly message: Draft
  /** What was asked for; where no turn can be steered any more the server queues it. */
  readonly mode: Mode
  /** Its place in the order of submission. */
  readonly order: number
  readonly place: Place
  readonly phase: Phase
  /** Counts its requests; only the answer to the last one can fail it. */
  readonly attempt: number
  /** Requests in a row that brought nothing definite. */
  readonly failures: number
  /** Its request takes long: others need not wait for it, and it can be cancelled. */
  readonly slow: boolean
  /** What the server made of it, once that is known. */
  readonly accepted?: "logged" | "queued" | "steering"
  readonly reason?: Reason
}

/** What befalls a message. attempt names the request that an answer belongs to. */
export type Happening =
  | { type: "left" }
  | { type: "slow"; attempt: number }
  | { type: "accepted"; state: "logged" | "queued" | "steering" }
  | { type: "unknown"; attempt: number }
  /** freshId takes the place of the request id where that belongs to another message. */
  | { type: "refused"; attempt: number; status: number; reason: Reason; freshId: string }
  | { type: "signed-out"; attempt: number }
  | { type: "signed-in" }
  /** It is time to try again. */
  | { type: "due" }
  /** Its durable row is on the page. */
  | { type: "row" }
  /** Its row in the server's queue is on the page. */
  | { type: "queued" }
  | { type: "cancel" }
  | { type: "retry"; place: Place }
  /** Its text is back in the composer for good, or was sent from there. */
  | { type: "taken" }
  /** The log had it before the page was drawn, which shows that part of the log by itself. */
  | { type: "past" }

/** How often a server that says "not now" (503) is asked before that counts as its answer. */
export const patience = 5

/** A message that has just been submitted. */
export function submitted(requestId: string, message: Draft, order: number, place: Place, mode: Mode = "queue"): Submission {
  return { requestId, message, order, place, mode, phase: "waiting", attempt: 0, failures: 0, slow: false }
}

/** A message that an earlier page has left behind: it is sent again, or stays failed for a reason. */
export function resumed(requestId: string, message: Draft, order: number, place: Place, mode: Mode, reason: Reason | null): Submission {
  const s = submitted(requestId, message, order, place, mode)
  return reason ? failed(s, reason) : s
}

/** What becomes of a message. What cannot befall it changes nothing: the same value comes back. */
export function step(s: Submission, e: Happening): Submission {
  if (s.phase === "gone") return s
  switch (e.type) {
    case "row":
      return shown(s, "transcript")
    case "queued":
      return s.phase === "shown" ? s : shown(s, "queue")
    case "accepted":
      return isSettled(s) ? s : accepted(s, e.state)
    case "past":
      return isSettled(s) ? s : { ...s, phase: "gone" }
    case "left":
      return s.phase === "waiting" ? { ...s, phase: "sending", attempt: s.attempt + 1, slow: false } : s
    case "signed-in":
      return s.phase === "signed-out" ? { ...s, phase: "waiting" } : s
    case "due":
      return s.phase === "unconfirmed" ? { ...s, phase: "waiting" } : s
    case "cancel":
      return isPending(s) ? failed(s, { code: "cancelled", message: "" }) : s
    case "retry":
      return s.phase === "failed" ? again(s, e.place) : s
    case "taken":
      return s.phase === "failed" ? { ...s, phase: "gone" } : s
    default:
      return s.phase === "sending" && e.attempt === s.attempt ? answered(s, e) : s
  }
}

function answered(s: Submission, e: Extract<Happening, { attempt: number }>): Submission {
  switch (e.type) {
    case "slow":
      return { ...s, slow: true }
    case "unknown":
      return { ...s, phase: "unconfirmed", failures: s.failures + 1 }
    case "signed-out":
      return { ...s, phase: "signed-out" }
    case "refused":
      if (e.status === 503 && s.failures + 1 < patience) return { ...s, phase: "unconfirmed", failures: s.failures + 1 }
      return failed(e.reason.code === "request_id_reused" ? { ...s, requestId: e.freshId } : s, e.reason)
  }
}

function shown(s: Submission, place: Place): Submission {
  const { reason: _, ...rest } = s
  return { ...rest, phase: "shown", place }
}

function accepted(s: Submission, state: "logged" | "queued" | "steering"): Submission {
  const { reason: _, ...rest } = s
  return { ...rest, phase: "accepted", accepted: state, place: state === "logged" ? "transcript" : "queue" }
}

/** A message that failed waits for nothing: it is no longer in the queue. */
function failed(s: Submission, reason: Reason): Submission {
  return { ...s, phase: "failed", reason, slow: false, place: "transcript" }
}

function again(s: Submission, place: Place): Submission {
  const { reason: _, ...rest } = s
  return { ...rest, phase: "waiting", failures: 0, place }
}

/** Whether nobody knows yet what becomes of it. */
export function isPending(s: Submission): boolean {
  return s.phase === "waiting" || s.phase === "sending" || s.phase === "unconfirmed" || s.phase === "signed-out"
}

/** Whether it would be lost with the page. */
export function isUnsent(s: Submission): boolean {
  return isPending(s) || s.phase === "failed"
}

/** Whether the server has it for certain, or it is none any more. */
function isSettled(s: Submission): boolean {
  return s.phase === "accepted" || s.phase === "shown" || s.phase === "gone"
}
