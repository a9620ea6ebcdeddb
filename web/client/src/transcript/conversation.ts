import { systemClock } from "../clock.ts"
import { request } from "../http.ts"
import type { Page } from "../page.ts"
import { Announcer, Narrator } from "./announce.ts"
import { Applier } from "./apply.ts"
import { ConnectionLine } from "./connection.ts"
import { Copying } from "./copy.ts"
import { Jump } from "./jump.ts"
import { Older } from "./older.ts"
import { Transcript } from "./placement.ts"
import { Presence } from "./presence.ts"
import { readStatus } from "./status.ts"
import { Scroll } from "./scroll.ts"
import { Stream, type StreamState } from "./stream.ts"
import { Times } from "./times.ts"
import { PageTitle, type Activity } from "./title.ts"
import { View } from "./view.ts"

/** A page that has to be loaded anew waits at most so long for its draft to be stored, in milliseconds. */
const longestStoring = 5_000

/** Resolves when the person has signed in again. */
export interface SignsIn {
  required(): Promise<void>
}

/** The transcript of the page's session as it grows: stream, rows, scrolling, and what is said about them. */
export class Conversation {
  readonly transcript: Transcript
  readonly announcer: Announcer
  readonly stream: Stream
  readonly #page: Page
  readonly #signIn: SignsIn
  readonly #scroll: Scroll
  readonly #title: PageTitle
  readonly #presence: Presence
  readonly #line: ConnectionLine
  #store: (then: () => void) => void = (then) => then()

  constructor(page: Page, signIn: SignsIn) {
    this.#page = page
    this.#signIn = signIn
    this.announcer = new Announcer(page.element("status"))
    this.transcript = new Transcript(page)
    this.#scroll = new Scroll(page)
    this.#title = new PageTitle(page.document, page.words)
    this.#line = new ConnectionLine(page.element("queue").parentElement!, page.element("queue"), page.words, (text) => this.announcer.say(text))
    this.stream = this.#newStream()
    this.#presence = this.#newPresence()
    this.#finishRows()
    new Narrator(this.announcer, this.transcript, page.words)
    new View(page, this.transcript, this.#scroll).restore()
    new Jump(page, this.transcript, this.#scroll)
    new Older(page, this.transcript, this.#scroll, this.announcer, () => signIn.required())
    this.#follow()
  }

  /** Begins to follow the session. */
  start(): void {
    const begin = (): void => {
      this.stream.start()
      this.#presence.watch(this.#page.document, window)
    }
    if (this.#page.sessionId !== null) return begin()
    this.#page.onAdopt(() => {
      begin()
      this.#refreshList()
    })
  }

  /** Names what stores the draft before the page has to be loaded anew. */
  reloadsAfter(store: (then: () => void) => void): void {
    this.#store = store
  }

  #reload(): void {
    systemClock.after(longestStoring, () => location.reload())
    this.#store(() => location.reload())
  }

  #newStream(): Stream {
    const page = this.#page
    const applier = new Applier(page, this.transcript, this.#title)
    return new Stream(
      {
        url: (after) => page.urls.stream(page.sessionId ?? "", after),
        apply: (frames) => {
          applier.apply(frames)
          page.root.dataset["cursor"] = this.stream.cursor
          this.#presence.changed()
        },
        signIn: () => this.#signIn.required(),
        ahead: () => this.#reload(),
        changed: (state) => this.#changed(state),
      },
      page.lastSeq,
    )
  }

  #newPresence(): Presence {
    return new Presence(this.stream, {
      activity: () => this.#activity(),
      ask: () => this.#ask(),
      mark: (mark) => (this.#title.mark = mark),
    })
  }

  #finishRows(): void {
    const times = new Times(this.#page.document.documentElement.lang || "en")
    const idle = window.requestIdleCallback ?? window.setTimeout // WebKit has no idle callbacks
    idle(() => times.prepare())
    const copying = new Copying(this.#page, this.announcer)
    this.transcript.finishWith((fragment) => {
      times.localize(fragment)
      copying.addButtons(fragment)
    })
  }

  #follow(): void {
    let running = this.transcript.isRunning()
    this.transcript.onRunning((now) => {
      if (now !== running) this.#refreshList()
      running = now
    })
    this.transcript.onEcho(() => this.#scroll.toEnd())
  }

  #changed(state: StreamState): void {
    this.#page.root.dataset["connection"] = state
    // The first try is not late yet.
    if (state !== "connecting" || this.stream.failures > 0) this.#line.show(state)
  }

  #activity(): Activity {
    const [seq] = this.stream.cursor.split(".")
    return { running: this.transcript.isRunning(), asks: this.transcript.questions().length > 0, lastSeq: Number(seq) }
  }

  async #ask(): Promise<Activity | null> {
    const id = this.#page.sessionId
    if (id === null) return null
    const answer = await request(this.#page.urls.status([id]))
    return answer.kind === "ok" ? readStatus(answer.json, id) : null
  }

  /** Has htmx read the list of sessions again. */
  #refreshList(): void {
    this.#page.element("session-list").dispatchEvent(new CustomEvent("refresh"))
  }
}
