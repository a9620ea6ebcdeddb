import { isObject } from "../json.ts"

/** The server's answer to a message that it has accepted. */
export interface Receipt {
  session: string
  state: "logged" | "queued" | "steering"
  /** Its place in the log, where it is there by now. */
  seq?: number
}

const states = ["logged", "queued", "steering"] as const

/** Reads a receipt; null for anything else, which confirms nothing. */
export function readReceipt(json: unknown): Receipt | null {
  if (!isObject(json)) return null
  const { sessionId: session, state: said, seq } = json
  const state = states.find((one) => one === said)
  if (!state || typeof session !== "string" || session === "") return null
  return { session, state, ...(Number.isSafeInteger(seq) && { seq: seq as number }) }
}
