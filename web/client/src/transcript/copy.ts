import { systemClock, type Clock } from "../clock.ts"
import type { Page } from "../page.ts"
import type { Announcer } from "./announce.ts"
import { writeClipboard } from "./clipboard.ts"
import { plainText } from "./plaintext.ts"

/** So long a button says that it has copied, in milliseconds. */
const saysFor = 2_000

/** Copies messages, answers and code by their buttons, and a selection in a message exactly. */
export class Copying {
  readonly #page: Page
  readonly #announcer: Announcer
  readonly #clock: Clock
  readonly #button: Element | null

  constructor(page: Page, announcer: Announcer, clock: Clock = systemClock) {
    this.#page = page
    this.#announcer = announcer
    this.#clock = clock
    const template = page.document.getElementById("bubble-template")
    this.#button = template instanceof HTMLTemplateElement ? template.content.querySelector(".copy") : null
    for (const id of ["transcript", "queue"]) page.element(id).addEventListener("click", (event) => this.#pressed(event))
    page.document.addEventListener("copy", (event) => copySelection(event))
  }

  /** Gives every block of code its button. */
  addButtons(fragment: ParentNode): void {
    for (const code of fragment.querySelectorAll(".code")) {
      if (this.#button && !code.querySelector(":scope > .copy")) code.append(this.#codeButton(this.#button))
    }
  }

  #codeButton(like: Element): Element {
    const button = like.cloneNode(true) as HTMLElement
    button.dataset["copy"] = "code"
    this.#name(button, "copy.code")
    return button
  }

  #pressed(event: Event): void {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-copy]") : null
    const text = button && textFor(button)
    if (button && text !== null) void this.#copy(button, text)
  }

  async #copy(button: HTMLElement, text: string): Promise<void> {
    const before = button.title
    const done = await writeClipboard(text, this.#page.document)
    this.#announcer.say(this.#page.words.t(done ? "copied" : "copy.failed"))
    if (!done || button.dataset["copied"] !== undefined) return
    this.#name(button, "copied")
    button.dataset["copied"] = ""
    this.#clock.after(saysFor, () => {
      delete button.dataset["copied"]
      setName(button, before)
    })
  }

  #name(button: HTMLElement, key: string): void {
    setName(button, this.#page.words.t(key))
  }
}

function setName(button: HTMLElement, name: string): void {
  button.title = name
  const label = button.querySelector(".vh")
  if (label) label.textContent = name
}

/** What a copy button copies, null for nothing: a message's content exactly, code exactly, an answer's text. */
function textFor(button: HTMLElement): string | null {
  if (button.dataset["copy"] === "code") return button.closest(".code")?.querySelector("pre")?.textContent ?? null
  const row = button.closest("article")
  const content = row?.querySelector(".message-content")
  if (content) return content.textContent
  const answer = row?.querySelector(".answer")
  return answer ? plainText(answer) : null
}

/** A selection within one message is copied as what the message says. */
function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection()
  if (event.defaultPrevented || !event.clipboardData || !selection || selection.isCollapsed || selection.rangeCount !== 1) return
  const range = selection.getRangeAt(0)
  const content = elementOf(range.commonAncestorContainer)?.closest(".message-content")
  if (!content || inField(document.activeElement)) return
  event.clipboardData.setData("text/plain", range.toString())
  event.preventDefault()
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement
}

/** A selection in a text field is the field's own. */
function inField(element: Element | null): boolean {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
}
