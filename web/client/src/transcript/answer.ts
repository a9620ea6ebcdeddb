import { errorOf, retryAfter } from "../http.ts"

/** What the server's answer to a request for the stream means. */
export type Answer =
  | { kind: "open"; body: ReadableStream<Uint8Array> }
  | { kind: "signed-out" }
  | { kind: "gone" } // the session was deleted
  | { kind: "ahead" } // the log is another one: it does not have what the page shows
  | { kind: "retry"; after: number } // an outage; after is what the server asks for, in milliseconds, or 0

/** Tells an ended sign-in from an outage, and our own server's words from those of a proxy before it. */
export async function readAnswer(response: Response): Promise<Answer> {
  const type = response.headers.get("Content-Type") ?? ""
  if (response.type === "opaqueredirect" || response.status === 401) return { kind: "signed-out" }
  if (response.ok) {
    if (response.body && type.startsWith("text/event-stream")) return { kind: "open", body: response.body }
    // A page in place of the stream: some sign-in stands before the server.
    return type.startsWith("text/html") ? { kind: "signed-out" } : { kind: "retry", after: 0 }
  }
  const code = type.startsWith("application/json") ? await errorCode(response) : ""
  if (response.status === 404 && code === "not_found") return { kind: "gone" }
  if (response.status === 409 && code === "cursor_ahead") return { kind: "ahead" }
  return { kind: "retry", after: retryAfter(response.headers.get("Retry-After")) ?? 0 }
}

async function errorCode(response: Response): Promise<string> {
  try {
    return errorOf(await response.json())?.code ?? ""
  } catch {
    return ""
  }
}
