import type { Notice } from "../notice.ts"
import type { Page } from "../page.ts"
import type { SignIn } from "./signin.ts"

/** What htmx tells of a request. */
interface RequestContext {
  text?: string
  response?: { status: number }
}

/**
 * Says so where an action of htmx' (stop, retry, an answer to a question) did
 * not work. Our server's refusals bring their own words; what remains is a lost
 * connection, a proxy's page, and a sign-in that has ended.
 */
export function reportFaults(page: Page, notice: Notice, signIn: SignIn): void {
  const words = page.words.t("action.failed")
  const failed = (): void => notice.say(words)
  // What htmx reads by itself, such as the list of sessions, is nobody's action.
  const isAction = ({ target }: Event): boolean => target instanceof Element && target.closest("[hx-post]") !== null
  page.document.addEventListener("htmx:before:request", (event) => isAction(event) && notice.clear(words))
  page.document.addEventListener("htmx:error", (event) => isAction(event) && failed())
  page.document.addEventListener("htmx:response:error", (event) => {
    if (!isAction(event)) return
    const { text, response } = (event as CustomEvent<{ ctx?: RequestContext }>).detail.ctx ?? {}
    if (response?.status === 401) void signIn.required()
    else if (!text?.includes("<hx-partial")) failed()
  })
}
