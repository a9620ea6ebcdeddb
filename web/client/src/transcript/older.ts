import type { Page } from "../page.ts"
import type { Announcer } from "./announce.ts"
import { parse } from "./morph.ts"
import type { Transcript } from "./placement.ts"
import type { Scroll } from "./scroll.ts"

/** So near the top older rows are loaded by themselves. */
const margin = "1200px 0px 0px 0px"
/** So long their answer may take, in milliseconds. */
const patience = 30_000

type Loaded = { kind: "rows"; elements: Element[] } | { kind: "signed-out" } | { kind: "failed" }

/** Loads the page before through its link at the transcript's top, in place. */
export class Older {
  readonly #page: Page
  readonly #transcript: Transcript
  readonly #scroll: Scroll
  readonly #announcer: Announcer
  readonly #signIn: () => Promise<void>
  readonly #observer: IntersectionObserver
  #loading = false

  constructor(page: Page, transcript: Transcript, scroll: Scroll, announcer: Announcer, signIn: () => Promise<void>) {
    this.#page = page
    this.#transcript = transcript
    this.#scroll = scroll
    this.#announcer = announcer
    this.#signIn = signIn
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: margin })
    transcript.element.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.older") : null
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      void this.#load(link)
    })
    this.#watch()
  }

  /** The link to the page before, if there is one. */
  get link(): HTMLAnchorElement | null {
    return this.#transcript.element.querySelector<HTMLAnchorElement>(":scope > a.older")
  }

  #watch(): void {
    this.#observer.disconnect()
    if (this.link) this.#observer.observe(this.link)
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    const link = this.link
    // One that failed waits for a click: by itself it would fail again and again.
    if (link && link.dataset["failed"] === undefined && entries.some((entry) => entry.isIntersecting)) void this.#load(link)
  }

  async #load(link: HTMLAnchorElement): Promise<void> {
    if (this.#loading) return
    this.#loading = true
    const words = link.dataset["failed"] === undefined ? link.textContent : this.#page.words.t("older")
    this.#say(link, this.#page.words.t("older.loading"), true)
    const loaded = await fetchRows(link.href)
    this.#loading = false
    if (!link.isConnected) return
    switch (loaded.kind) {
      case "rows":
        return this.#put(link, loaded.elements)
      case "signed-out":
        this.#say(link, words ?? "")
        void this.#signIn().then(() => this.#load(link))
        return
      case "failed":
        link.dataset["failed"] = ""
        this.#say(link, this.#page.words.t("older.failed"))
        this.#announcer.say(this.#page.words.t("older.failed"))
    }
  }

  #put(link: HTMLAnchorElement, elements: Element[]): void {
    const focused = link.ownerDocument.activeElement === link
    this.#scroll.keeping(() => {
      this.#transcript.prepend(link, elements)
      if (focused) this.#focus()
    })
    this.#announcer.say(this.#page.words.t("older.loaded"))
    this.#watch()
  }

  /** Who pressed the link can press the next one; where all is loaded, they are at the first row. */
  #focus(): void {
    const target = this.link ?? this.#transcript.element.querySelector<HTMLElement>("article")
    if (target && target !== this.link) target.tabIndex = -1
    target?.focus({ preventScroll: true })
  }

  #say(link: HTMLAnchorElement, words: string, loading = false): void {
    if (loading) delete link.dataset["failed"]
    link.setAttribute("aria-disabled", String(loading))
    link.textContent = words
  }
}

async function fetchRows(url: string): Promise<Loaded> {
  try {
    const response = await fetch(url, {
      headers: { "HX-Request": "true", Accept: "text/html" },
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(patience),
    })
    if (response.type === "opaqueredirect" || response.status === 401) return { kind: "signed-out" }
    if (!response.ok) return { kind: "failed" }
    const transcript = parse(await response.text())
      .map((element) => element.querySelector("#transcript"))
      .find((found) => found !== null)
    return transcript ? { kind: "rows", elements: [...transcript.children].filter((child) => !child.matches(".empty")) } : { kind: "failed" }
  } catch {
    return { kind: "failed" }
  }
}
