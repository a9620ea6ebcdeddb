import { Words } from "./words.ts"

/** The addresses of the server, as the page names them: the base path is the server's business. */
export class URLs {
  readonly #data: DOMStringMap
  readonly #base: string

  constructor(data: DOMStringMap, base: string) {
    this.#data = data
    this.#base = base
  }

  get home(): string {
    return this.#base + "/"
  }

  /** Takes a new session's first message. */
  get sessions(): string {
    return this.#data["sessions"] ?? this.#base + "/sessions"
  }

  /** The list of sessions as a fragment, with current marked as the one on the page. */
  sessionList(current: string | null): string {
    return current === null ? this.sessions : `${this.sessions}?current=${encodeURIComponent(current)}`
  }

  get mentions(): string {
    return this.#data["mentions"] ?? this.#base + "/mentions"
  }

  get commands(): string {
    return this.#data["commands"] ?? this.#base + "/commands"
  }

  get login(): string {
    return this.#data["login"] ?? this.#base + "/login"
  }

  /** What runs, and what waits for the person. */
  status(ids: readonly string[]): string {
    const url = this.#data["status"] ?? this.#base + "/status"
    return `${url}?ids=${ids.map(encodeURIComponent).join(",")}`
  }

  /** A session's page; what belongs to the session has its address below this one. */
  session(id: string): string {
    const pattern = this.#data["sessionUrl"] ?? this.#base + "/sessions/{id}"
    return pattern.replace("{id}", () => encodeURIComponent(id))
  }

  messages(id: string): string {
    return this.session(id) + "/messages"
  }

  /** The session's fragments from the cursor on: "seq" or "seq.n". */
  stream(id: string, after: string): string {
    return `${this.session(id)}/stream?after=${encodeURIComponent(after)}`
  }

  /** Where a draft is kept: a session's, or with null the one of the start page. */
  draft(id: string | null): string {
    return id === null ? this.#base + "/draft" : this.session(id) + "/draft"
  }

  stop(id: string): string {
    return this.session(id) + "/stop"
  }

  retry(id: string): string {
    return this.session(id) + "/retry"
  }
}

/** The page as the server drew it: which session it shows, where things are, in which words. */
export class Page {
  readonly root: HTMLElement
  readonly document: Document
  readonly words: Words
  readonly urls: URLs
  readonly #adopted: (() => void)[] = []

  /** Reads the page; null where it is none of a conversation's, such as sign-in. */
  static of(document: Document): Page | null {
    const root = document.querySelector<HTMLElement>('.app[data-view="home"], .app[data-view="session"]')
    return root && new Page(document, root)
  }

  constructor(document: Document, root: HTMLElement) {
    this.document = document
    this.root = root
    this.words = Words.of(document)
    this.urls = new URLs(root.dataset, document.documentElement.dataset["base"] ?? "")
    this.#followHistory()
  }

  /** null while no session has begun. */
  get sessionId(): string | null {
    return this.root.dataset["session"] || null
  }

  /** Who is signed in. */
  get person(): string {
    return this.root.dataset["person"] ?? ""
  }

  /** The last event of the log that the page was drawn with: the cursor to follow it from. */
  get lastSeq(): string {
    return this.root.dataset["lastSeq"] ?? "0"
  }

  /** The element with an id that every page of a conversation has. */
  element(id: string): HTMLElement {
    const found = this.document.getElementById(id)
    if (!found) throw new Error(`the page has no #${id}`)
    return found
  }

  /** Puts the focus into the message box, whichever it is by now. */
  focusMessage(): void {
    this.element("composer").querySelector<HTMLElement>('[role="textbox"], textarea:not([hidden])')?.focus()
  }

  /** Shows the conversation in place of the start page's greeting: there is something in it now. */
  converse(): void {
    const greeting = this.root.querySelector(".greeting")
    if (!greeting) return
    greeting.remove()
    for (const shown of this.root.querySelectorAll<HTMLElement>("#transcript, .jump")) shown.hidden = false
  }

  /** Makes the start page that of the session which its first message began, without loading a document. */
  adopt(sessionId: string): void {
    if (this.sessionId !== null) return
    this.root.dataset["session"] = sessionId
    this.root.dataset["view"] = "session"
    this.converse()
    this.element("composer").setAttribute("action", this.urls.messages(sessionId))
    const stop = this.element("stop")
    for (const name of ["action", "hx-post"]) stop.setAttribute(name, this.urls.stop(sessionId))
    this.element("session-list").setAttribute("hx-get", this.urls.sessionList(sessionId))
    history.pushState(null, "", this.urls.session(sessionId))
    for (const listener of this.#adopted) listener()
  }

  /** Calls back when the page becomes a session's. */
  onAdopt(listener: () => void): void {
    this.#adopted.push(listener)
  }

  /** Back from an adopted session leads to another page: it is loaded. A step within the page (#end) is not. */
  #followHistory(): void {
    window.addEventListener("popstate", () => {
      const own = this.sessionId === null ? this.urls.home : this.urls.session(this.sessionId)
      if (location.pathname !== own) location.reload()
    })
  }
}
