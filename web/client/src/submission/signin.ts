import { systemClock } from "../clock.ts"
import { request, type Answer } from "../http.ts"
import type { Notice } from "../notice.ts"
import type { Page } from "../page.ts"

/** Another tab of this browser reads it to know that somebody has signed in. */
const signedInKey = "webshell.signed-in"

/** So long it is said that somebody has signed in, in milliseconds. */
const stands = 8_000

/**
 * Signing in again without leaving the page. The dialog stands above the message
 * box and takes neither the focus nor the keys: one goes on writing behind it.
 */
export class SignIn {
  readonly #page: Page
  readonly #notice: Notice
  readonly #announce: (words: string) => void
  #waiting: { promise: Promise<void>; done: () => void } | null = null
  #dialog: HTMLDialogElement | null = null
  #asking = false

  constructor(page: Page, notice: Notice, announce: (words: string) => void) {
    this.#page = page
    this.#notice = notice
    this.#announce = announce
    const look = (): void => void this.#lookWhetherSignedIn()
    window.addEventListener("focus", look)
    window.addEventListener("pageshow", look)
    window.addEventListener("online", look)
    window.addEventListener("storage", (event) => event.key === signedInKey && look())
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look())
  }

  /** The server has said that nobody is signed in. Resolves when somebody is, here or in another tab. */
  required(): Promise<void> {
    if (!this.#waiting) {
      let done = (): void => {}
      const promise = new Promise<void>((resolve) => (done = resolve))
      this.#waiting = { promise, done }
      this.#show()
    }
    return this.#waiting.promise
  }

  #show(): void {
    const { words } = this.#page
    this.#dialog = draw(words.t("signedout"), words.t("signin.lead"), words.t("signin.link"), words.t("signin"))
    const form = this.#dialog.querySelector("form")!
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      void this.#submit(form)
    })
    // Enter belongs to the input method while it composes, and right after in WebKit (key code 229).
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault()
    })
    this.#page.element("composer").before(this.#dialog)
    // Not show(): that would take the focus out of the message box.
    this.#dialog.open = true
    this.#announce(words.t("signedout"))
  }

  async #submit(form: HTMLFormElement): Promise<void> {
    const { urls, words } = this.#page
    const token = tokenIn(form.querySelector("input")!.value)
    if (token === null) return this.#fault(words.t("signin.invalid"))
    if (this.#asking) return
    this.#asking = true
    this.#fault("")
    const answer = await request(urls.login, { method: "POST", body: { token } })
    this.#asking = false
    if (answer.kind === "ok") return this.#signedIn(true)
    this.#fault(answer.kind === "signed-out" ? words.t("signin.expired") : words.t("signin.failed"))
  }

  #fault(text: string): void {
    const fault = this.#dialog?.querySelector<HTMLElement>(".signin-fault")
    if (!fault) return
    fault.textContent = text
    fault.hidden = text === ""
  }

  async #lookWhetherSignedIn(): Promise<void> {
    if (!this.#waiting || this.#asking) return
    const answer = await request(this.#page.urls.status([]), { login: this.#page.urls.login })
    if (isLetIn(answer)) this.#signedIn(false)
  }

  #signedIn(here: boolean): void {
    const waiting = this.#waiting
    if (!waiting) return
    this.#waiting = null
    const hadFocus = this.#dialog?.contains(document.activeElement) ?? false
    this.#dialog?.remove()
    this.#dialog = null
    if (hadFocus) this.#page.focusMessage()
    const done = this.#page.words.t("signin.done")
    this.#notice.say(done)
    systemClock.after(stands, () => this.#notice.clear(done))
    if (here) tellOtherTabs()
    waiting.done()
  }
}

/** Whether who was answered so is signed in. In an outage the server refuses before it knows. */
export function isLetIn(answer: Answer): boolean {
  return answer.kind === "ok" || (answer.kind === "refused" && answer.status < 500)
}

/** The token in what was pasted: a sign-in link, or the token alone. */
export function tokenIn(pasted: string): string | null {
  const text = pasted.trim()
  const token = /[?&]token=([^&#\s]+)/.exec(text)?.[1] ?? text
  return /^[A-Za-z0-9_-]{16,256}$/.test(token) ? token : null
}

function draw(title: string, lead: string, label: string, action: string): HTMLDialogElement {
  const dialog = document.createElement("dialog")
  dialog.className = "signin"
  dialog.id = "signin"
  const heading = element("h2", title)
  heading.id = "signin-title"
  dialog.setAttribute("aria-labelledby", heading.id)
  const form = document.createElement("form")
  const input = document.createElement("input")
  Object.assign(input, { type: "text", name: "link", autocomplete: "off", autocapitalize: "off", spellcheck: false, enterKeyHint: "go" })
  const labelled = element("label", label)
  labelled.append(input)
  const button = element("button", action)
  button.className = "button button-main"
  const fault = element("p", "")
  fault.className = "signin-fault"
  fault.role = "alert"
  fault.hidden = true
  form.append(labelled, button, fault)
  dialog.append(heading, element("p", lead), form)
  return dialog
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function tellOtherTabs(): void {
  try {
    localStorage.setItem(signedInKey, String(Date.now()))
  } catch {
    // Storage that is full or forbidden: the other tabs notice when they are looked at.
  }
}
