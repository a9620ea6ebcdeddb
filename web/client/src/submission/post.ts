import { request, type Answer } from "../http.ts"
import type { URLs } from "../page.ts"
import type { Submission } from "./submission.ts"

/**
 * Sends a message to a session, or begins one with it. Returns what gives the
 * request up; done is then not called.
 */
export function post(urls: URLs, s: Submission, session: string | null, done: (answer: Answer) => void): () => void {
  const abort = new AbortController()
  const url = session === null ? urls.sessions : urls.messages(session)
  const body = { requestId: s.requestId, text: s.message.text, tags: s.message.tags, mode: s.mode }
  void request(url, { method: "POST", body, signal: abort.signal, login: urls.login }).then((answer) => {
    if (!abort.signal.aborted) done(answer)
  })
  return () => abort.abort()
}
