import { Bubbles, messageId, type Action } from "../bubble.ts"
import type { Chips } from "../chip.ts"
import { systemClock } from "../clock.ts"
import type { Editor } from "../editor/editor.ts"
import { canonical, type Draft } from "../message.ts"
import type { Notice } from "../notice.ts"
import type { Page } from "../page.ts"
import { isLogged } from "../transcript/order.ts"
import type { Transcript } from "../transcript/placement.ts"
import { uuid } from "../uuid.ts"
import type { OutboxStore } from "./outboxstore.ts"
import { Elsewhere } from "./elsewhere.ts"
import { Outgoing, type Rows, type Surroundings } from "./outgoing.ts"
import { post } from "./post.ts"
import type { Recall } from "./recall.ts"
import type { SignIn } from "./signin.ts"
import { standingOf } from "./standing.ts"
import type { Mode, Submission } from "./submission.ts"

export interface SubmissionsOptions {
  page: Page
  editor: Editor
  transcript: Transcript
  chips: Chips
  signIn: SignIn
  notice: Notice
  recall: Recall
  outbox: OutboxStore
}

/** The messages that the person sends from this page: their rows, and their way to the server. */
export class Submissions implements Rows {
  readonly #options: SubmissionsOptions
  readonly #bubbles: Bubbles
  readonly #outgoing: Outgoing
  readonly #elsewhere: Elsewhere
  /** The last event of the log that the page was drawn with. */
  readonly #drawnTo: number

  constructor(options: SubmissionsOptions) {
    const { page, editor, notice, outbox, transcript, signIn } = options
    this.#options = options
    this.#bubbles = new Bubbles(page.document, options.chips)
    this.#drawnTo = Number(page.lastSeq)
    const net: Pick<Surroundings, "clock" | "newId" | "post" | "signIn"> = {
      clock: systemClock,
      newId: uuid,
      post: (s, session, done) => post(page.urls, s, session, done),
      signIn: () => signIn.required(),
    }
    this.#outgoing = new Outgoing(page.sessionId, {
      ...net, outbox,
      rows: this,
      box: editor,
      adopt: (session) => page.adopt(session),
      restored: () => notice.say(page.words.t("restored")),
    })
    this.#elsewhere = new Elsewhere({ ...net, outbox, failed: () => notice.say(page.words.t("failed.elsewhere")) })
    transcript.onRow((row) => this.#logged(row))
    transcript.onQueued((ids) => this.#outgoing.queued(ids))
    editor.onChange((byPerson) => byPerson && this.#typed())
    for (const part of [transcript.element, page.element("queue")]) part.addEventListener("click", (event) => this.#press(event))
    window.addEventListener("online", () => this.#nudge())
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#nudge())
    void this.#resume()
  }

  /** Shows a message in this task, and sends it. It has left the message box already. */
  submit(message: Draft, mode: Mode): void {
    this.#options.notice.clear(this.#options.page.words.t("restored"))
    this.#outgoing.submit({ ...message, text: canonical(message.text) }, mode)
  }

  /** What was left behind on a start page that has become a session's by then stays for the next start page. */
  async #resume(): Promise<void> {
    const { outbox, page } = this.#options
    const session = page.sessionId
    const left = await outbox.claim(session)
    if (page.sessionId === session) this.#outgoing.resume(left)
    await this.#elsewhere.send(page.sessionId)
  }

  /** The network may be back. */
  #nudge(): void {
    this.#outgoing.nudge()
    void this.#elsewhere.send(this.#options.page.sessionId)
  }

  has(requestId: string): boolean {
    return this.#article(requestId) !== null
  }

  isPast(seq: number): boolean {
    return seq <= this.#drawnTo
  }

  isBusy(): boolean {
    const { transcript } = this.#options
    return transcript.isRunning() || transcript.hasLine() || awaitsTurn(transcript.element)
  }

  place(s: Submission): void {
    const { page, recall, transcript } = this.#options
    page.converse()
    recall.sent(s.requestId, s.message)
    const article = this.#bubbles.draw(s.requestId, s.message, new Date())
    this.#bubbles.stand(article, standingOf(s, page.words))
    transcript.placeEcho(article, s.place)
  }

  move(s: Submission): void {
    this.#options.transcript.move(s.requestId, s.place)
  }

  stand(s: Submission): void {
    const { notice, page } = this.#options
    const article = this.#article(s.requestId)
    const standing = standingOf(s, page.words)
    if (article) this.#bubbles.stand(article, standing)
    if (standing.state === "failed") notice.announce(`${standing.words}. ${standing.detail}`)
  }

  rename(from: string, s: Submission): void {
    const article = this.#article(from)
    if (article) this.#bubbles.rename(article, s.requestId)
  }

  remove(s: Submission): void {
    this.#options.transcript.remove(s.requestId)
  }

  #article(requestId: string): HTMLElement | null {
    return this.#options.page.document.getElementById(messageId(requestId))
  }

  #logged(row: HTMLElement): void {
    const id = row.dataset["requestId"]
    if (id !== undefined && isLogged(row)) this.#outgoing.logged([id])
  }

  #typed(): void {
    this.#options.notice.clear(this.#options.page.words.t("restored"))
    this.#outgoing.typed()
  }

  #press(event: Event): void {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-action]") : null
    const id = button?.closest<HTMLElement>("article[data-request-id]")?.dataset["requestId"]
    if (!button || id === undefined) return
    const focused = button === document.activeElement
    const action = button.dataset["action"] as Action | undefined
    if (action === "retry" || action === "cancel" || action === "edit") this.#outgoing[action](id)
    // A button that is gone leaves the focus nowhere.
    if (action === "edit" || (focused && !button.checkVisibility())) this.#options.editor.focus()
  }
}

/** Whether the newest row of the log is a person's message: its turn is about to begin. */
function awaitsTurn(transcript: Element): boolean {
  let row = transcript.lastElementChild
  while (row instanceof HTMLElement && !isLogged(row)) row = row.previousElementSibling
  return row instanceof HTMLElement && row.dataset["role"] === "user"
}
