import { systemClock } from "../clock.ts"
import type { Editor } from "../editor/editor.ts"
import { request } from "../http.ts"
import { emptyDraft, sameDraft, type Draft } from "../message.ts"
import { parseDraft } from "../parse.ts"
import type { Page } from "../page.ts"
import { DraftSlot } from "./draftslot.ts"
import { leftBehind } from "./leftbehind.ts"
import type { SignIn } from "./signin.ts"
import { isSignOut } from "./signout.ts"

/**
 * Keeps what is being written on the server, for the session or the start page.
 * Of two tabs that write at once the last one's is kept; what is stored never
 * changes what stands in a message box.
 */
export class Drafts {
  readonly #page: Page
  readonly #editor: Editor
  readonly #signIn: SignIn
  #slot: DraftSlot
  readonly #left = leftBehind(() => sessionStorage)
  /** The start page's draft, once its message has begun a session. */
  #former: DraftSlot | null = null
  #signingOut = false

  constructor(page: Page, editor: Editor, signIn: SignIn) {
    this.#page = page
    this.#editor = editor
    this.#signIn = signIn
    const stored = drawn(page.element("composer"))
    this.#slot = this.#slotOf(page.sessionId, stored)
    const late = this.#left.take(page.sessionId)
    if (late && sameDraft(editor.get(), stored)) editor.set(late)
    // A message that is sent empties the box first: nothing leaves before its echo is there.
    editor.onChange((byPerson) => (byPerson ? this.#slot.changed() : queueMicrotask(() => this.#slot.save())))
    page.onAdopt(() => this.#move())
    page.element("composer").addEventListener("focusout", () => this.#slot.save())
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#leave())
    document.addEventListener("submit", ({ target }) => (this.#signingOut ||= isSignOut(target)))
    window.addEventListener("pagehide", () => this.#go())
    window.addEventListener("pageshow", () => this.#left.drop(page.sessionId))
    window.addEventListener("online", () => this.#slot.nudge())
    this.#slot.changed() // a browser may have brought back what was typed before a reload
  }

  /** Calls back once the server has what is being written. */
  whenStored(f: () => void): void {
    this.#slot.whenStored(f)
  }

  #slotOf(session: string | null, stored: Draft | null): DraftSlot {
    return new DraftSlot(stored, {
      clock: systemClock,
      read: () => (this.#page.sessionId === session ? this.#editor.get() : emptyDraft),
      put: (draft, keepalive, done) => {
        const abort = new AbortController()
        const { urls } = this.#page
        const body = { text: draft.text, tags: draft.tags }
        void request(urls.draft(session), { method: "PUT", body, keepalive, signal: abort.signal, login: urls.login }).then((answer) => {
          if (!abort.signal.aborted) done(answer)
        })
        return () => abort.abort()
      },
      signIn: () => this.#signIn.required(),
    })
  }

  /** The start page has become a session's: what is being written belongs there, and the start page's draft is empty. */
  #move(): void {
    this.#former = this.#slot
    this.#former.save()
    this.#slot = this.#slotOf(this.#page.sessionId, emptyDraft)
    this.#slot.save()
  }

  #leave(): void {
    this.#former?.leave()
    this.#slot.leave()
  }

  /** The page goes; what it has stored only now comes too late for the next one, if that is this one again. */
  #go(): void {
    this.#leave()
    if (this.#signingOut) return // the next person in this tab may be another
    if (this.#former?.isStored() === false) this.#left.keep(null, emptyDraft, !this.#former.isFailing)
    if (!this.#slot.isStored()) this.#left.keep(this.#page.sessionId, this.#editor.get(), !this.#slot.isFailing)
  }
}

/** The draft that the server drew the page with. */
function drawn(composer: HTMLElement): Draft {
  const text = composer.querySelector("textarea")?.defaultValue ?? ""
  return parseDraft(text, composer.querySelector<HTMLInputElement>('input[name="tags"]')?.defaultValue ?? "")
}
