import { systemClock, type Clock } from "../clock.ts"
import type { Words } from "../words.ts"
import type { Growth } from "./block.ts"
import type { Transcript } from "./placement.ts"
import { Speech } from "./speech.ts"

/** At least so long an announcement stands before the next, in milliseconds. */
const between = 1_000
/** After so long it goes, so that nobody finds old words when reading the page. */
const stands = 10_000
/** So many wait at most; older ones are left out. */
const waitsMost = 4

/** The polite region of the page, #status: says one thing after the other. */
export class Announcer {
  readonly #region: { textContent: string | null }
  readonly #clock: Clock
  #waiting: string[] = []
  #busy = false
  #cancel: () => void = () => {}

  constructor(region: { textContent: string | null }, clock: Clock = systemClock) {
    this.#region = region
    this.#clock = clock
  }

  /** Whether something is being said, or waits to be. */
  get busy(): boolean {
    return this.#busy
  }

  /** Says it after what is being said. */
  say(words: string): void {
    if (words === "") return
    this.#waiting = [...this.#waiting, words].slice(-waitsMost)
    if (!this.#busy) this.#next()
  }

  /** Says it at once. */
  urgent(words: string): void {
    this.#waiting.unshift(words)
    this.#next()
  }

  #next(): void {
    this.#cancel()
    const words = this.#waiting.shift()
    this.#busy = words !== undefined
    if (words === undefined) {
      this.#cancel = this.#clock.after(stands - between, () => (this.#region.textContent = ""))
      return
    }
    // The same words again would be no change, and go unheard.
    this.#region.textContent = words === this.#region.textContent ? words + "\u00a0" : words
    this.#cancel = this.#clock.after(between, () => this.#next())
  }
}

/**
 * Says to assistive technology what the transcript shows: an answer as it
 * grows, in sentences and never by the piece; its end; questions, at once; what
 * waits.
 */
export class Narrator {
  readonly #announcer: Announcer
  readonly #transcript: Transcript
  readonly #words: Words
  readonly #clock: Clock
  #speech = new Speech()
  #unsaid = "" // of blocks before this one
  #block = ""
  #cancel: (() => void) | null = null
  #running: boolean
  #waiting: number
  #outcome = "finished"
  readonly #asked: Set<string>

  constructor(announcer: Announcer, transcript: Transcript, words: Words, clock: Clock = systemClock) {
    this.#announcer = announcer
    this.#transcript = transcript
    this.#words = words
    this.#clock = clock
    this.#running = transcript.isRunning()
    this.#waiting = transcript.waiting()
    this.#asked = new Set(transcript.questions().map((row) => row.id))
    transcript.onRow((row) => this.#row(row))
    transcript.onGrowth((row, growth) => this.#growth(row, growth))
    transcript.onQueued(() => this.#queued())
    transcript.onRunning((running) => this.#ran(running))
  }

  #row(row: HTMLElement): void {
    if (row.dataset["role"] === "assistant") this.#answer(row)
    if (row.dataset["role"] === "notice") this.#outcome = outcomeOf(row)
    if (row.matches('[data-role="permission"][data-waiting]') && !this.#asked.has(row.id)) {
      this.#asked.add(row.id)
      const title = row.querySelector(".card-title")?.textContent ?? ""
      this.#announcer.urgent(`${this.#words.t("answer.asks")} ${title}`.trim())
    }
  }

  /** A block came whole: it opened, was sent again after a gap, or is closed. */
  #answer(row: HTMLElement): void {
    const open = row.dataset["open"] !== undefined
    if (row.id !== this.#block) {
      if (!open && !this.#running) return // of a turn that was read before
      this.#unsaid = this.#take(true)
      this.#block = row.id
      this.#speech = new Speech()
    }
    if (open) this.#speech.rest = textOf(row, ".done") + textOf(row, ".tail")
    else this.#speech.close(textOf(row, ".done"))
    this.#later()
  }

  #growth(row: HTMLElement, growth: Growth): void {
    if (row.id !== this.#block) return
    if (growth.finished !== "") this.#speech.finish(growth.finished)
    if (growth.rest !== null) this.#speech.rest = growth.rest
    this.#speech.append(growth.appended)
    this.#later()
  }

  /** Says what has come by then, once nothing else is being said. */
  #later(): void {
    this.#cancel ??= this.#clock.after(between, () => {
      this.#cancel = null
      if (this.#announcer.busy) this.#later()
      else this.#announcer.say(this.#take(false))
    })
  }

  #take(all: boolean): string {
    const words = `${this.#unsaid} ${this.#speech.take(all)}`.trim()
    this.#unsaid = ""
    return words
  }

  #ran(running: boolean): void {
    if (running === this.#running) return
    this.#running = running
    if (running) {
      this.#outcome = "finished"
      this.#announcer.say(this.#words.t("answer.started"))
      return
    }
    this.#cancel?.()
    this.#cancel = null
    this.#announcer.say(`${this.#take(true)} ${this.#words.t("answer." + this.#outcome)}`.trim())
  }

  #queued(): void {
    const waiting = this.#transcript.waiting()
    if (waiting > 0 && waiting !== this.#waiting) this.#announcer.say(this.#words.count("queue.count", waiting))
    this.#waiting = waiting
  }
}

function textOf(row: HTMLElement, selector: string): string {
  return row.querySelector(selector)?.textContent ?? ""
}

/** Which words tell how a turn ended that did not complete. */
function outcomeOf(notice: HTMLElement): string {
  switch (notice.dataset["notice"]) {
    case "cancelled":
      return "stopped"
    case "failed":
    case "interrupted":
    case "refused":
      return "failed"
  }
  return "finished"
}
