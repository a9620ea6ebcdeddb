import { request } from "../http.ts"
import { isObject } from "../json.ts"
import { parseAnnotations } from "../parse.ts"
import type { Page } from "../page.ts"
import type { Fetch, Sent, SentPage } from "./recall.ts"

/** Reads the session's messages from the server; on the start page there are none. */
export function fetchSent(page: Page): Fetch {
  return async (before) => {
    const session = page.sessionId
    if (session === null) return { messages: [], more: false }
    const query = before === null ? "" : `?before=${before}`
    const answer = await request(page.urls.messages(session) + query, { login: page.urls.login })
    return answer.kind === "ok" && page.sessionId === session ? readPage(answer.json) : null
  }
}

/** Reads {messages:[{seq,requestId,at,content,annotations}],more}; what is malformed in it is left out. */
export function readPage(json: unknown): SentPage | null {
  if (!isObject(json) || !Array.isArray(json["messages"])) return null
  return { messages: json["messages"].flatMap((entry) => readSent(entry) ?? []), more: json["more"] === true }
}

function readSent(entry: unknown): Sent | null {
  if (!isObject(entry)) return null
  const { seq, requestId, content, annotations } = entry
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || typeof content !== "string") return null
  return { seq, requestId: typeof requestId === "string" ? requestId : "", message: parseAnnotations(content, annotations) }
}
