import { isObject } from "../json.ts"

/** The server's answer to a message that it has accepted. */
export interface Receipt {
  session: string
  state: "logged" | "queued" | "steering"
}

const states = ["logged", "queued", "steering"] as const

/** Reads a receipt; null for anything else, which confirms nothing. */
export function readReceipt(json: unknown): Receipt | null {
  if (!isObject(json)) return null
  const { sessionId: session, state: said } = json
  const state = states.find((one) => one === said)
  return state && typeof session === "string" && session !== "" ? { session, state } : null
}
