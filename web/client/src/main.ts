import { typeAnywhere } from "./anywhere.ts"
import { Chips } from "./chip.ts"
import { systemClock } from "./clock.ts"
import { Composer } from "./composer.ts"
import { request } from "./http.ts"
import { Notice } from "./notice.ts"
import { Page } from "./page.ts"
import { followSettings } from "./settings.ts"
import { Drafts } from "./submission/drafts.ts"
import { reportFaults } from "./submission/faults.ts"
import { OutboxStore } from "./submission/outboxstore.ts"
import { Recall } from "./submission/recall.ts"
import { fetchSent } from "./submission/sent.ts"
import { SignIn } from "./submission/signin.ts"
import { clearAtSignOut } from "./submission/signout.ts"
import { Submissions } from "./submission/submissions.ts"
import { Conversation } from "./transcript/conversation.ts"

// The nonce can be read while the script runs that has it, and not later.
const nonce = (document.currentScript as HTMLScriptElement | null)?.nonce ?? ""
document.documentElement.classList.add("js")
const page = Page.of(document)
if (page) start(page)
else followSettings(document, (f) => f())

function start(page: Page): void {
  const { words, urls } = page
  const announce = (text: string): void => conversation.announcer.say(text)
  const notice = new Notice(page, announce)
  const signIn = new SignIn(page, notice, announce)
  const conversation = new Conversation(page, signIn)
  const { transcript } = conversation
  const chips = new Chips(page.document)
  const recall = new Recall(fetchSent(page))
  const form = page.element("composer") as HTMLFormElement
  const composer = new Composer(form, {
    words, nonce, announce, recall,
    editor: page.document.documentElement.dataset["editor"] ?? "",
    chip: (tag, text) => chips.draw(tag, text),
    menus: {
      urls, words, announce,
      session: () => page.sessionId,
      icon: (kind) => chips.icon(kind),
      get: (url, signal) => request(url, { login: urls.login, ...(signal && { signal }) }),
    },
    onSubmit: (message, mode) => submissions.submit(message, mode),
  })
  const { editor } = composer
  const outbox = new OutboxStore(page.person, systemClock)
  clearAtSignOut(page, outbox)
  const submissions = new Submissions({ page, editor, transcript, chips, signIn, notice, recall, outbox })
  const drafts = new Drafts(page, editor, signIn)
  followSettings(page.document, (f) => drafts.whenStored(f))
  conversation.reloadsAfter((f) => drafts.whenStored(f))
  form.addEventListener("focusin", () => editor.isEmpty() && void recall.prepare())
  transcript.onRunning((running) => composer.setRunning(running))
  reportFaults(page, notice, signIn)
  typeAnywhere(page.document, () => page.focusMessage())
  conversation.start()
}
