import type { Page } from "../page.ts"
import type { OutboxStore } from "./outboxstore.ts"

/**
 * Signing out forgets what this person has not sent: the next one at this
 * browser may be another. Where there is something, it asks first.
 */
export function clearAtSignOut(page: Page, outbox: OutboxStore): void {
  const forget = async (form: HTMLFormElement): Promise<void> => {
    const unsent = await outbox.size()
    if (unsent > 0 && !confirm(page.words.count("signout.unsent", unsent))) return
    await outbox.clear()
    form.submit()
  }
  page.document.addEventListener("submit", (event) => {
    const form = event.target
    if (!isSignOut(form)) return
    event.preventDefault()
    void forget(form)
  })
}

/** Whether this is the form that signs the person out. */
export function isSignOut(form: EventTarget | null): form is HTMLFormElement {
  return form instanceof HTMLFormElement && (form.getAttribute("action") ?? "").endsWith("/logout") // .action may be a field
}
