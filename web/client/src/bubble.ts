import { drawable, templateOf, type Chips } from "./chip.ts"
import { foldOf } from "./fold.ts"
import { coverable, formOf, type Draft } from "./message.ts"

/** What a person can do about a message that is not confirmed. */
export type Action = "retry" | "edit" | "cancel"

/** What a row shows beside its message. */
export interface Standing {
  /** data-state */
  state: "sending" | "queued" | "steering" | "claimed" | "logged" | "failed"
  /** Names the state, "" for none. */
  words: string
  /** Why, and what to do; "" for none. */
  detail: string
  /** It is to enter the running turn, and says so. */
  steering: boolean
  actions: readonly Action[]
}

/** The element id of a message, whether it is an echo, waits or is in the log. */
export const messageId = (requestId: string): string => `m-${requestId}`

/** Draws a person's message from the component in #bubble-template. */
export class Bubbles {
  readonly #template: Element
  readonly #chips: Chips

  constructor(document: Document, chips: Chips) {
    const article = templateOf(document, "bubble-template").querySelector("article")
    if (!article) throw new Error("#bubble-template has no article")
    this.#template = article
    this.#chips = chips
  }

  /** A message on its way to the server. Its time is written where it is shown, as all times are. */
  draw(requestId: string, message: Draft, at: Date): HTMLElement {
    const article = this.#template.cloneNode(true) as HTMLElement
    this.rename(article, requestId)
    article.querySelector(".message-content")!.replaceChildren(...this.#content(message))
    const fold = foldOf(message.text)
    if (fold !== "") article.querySelector(".bubble")!.setAttribute("data-fold", fold)
    article.querySelector("time.at")?.setAttribute("datetime", at.toISOString().replace(/\.\d+/, ""))
    return article
  }

  /** Gives a row another request id. */
  rename(article: HTMLElement, requestId: string): void {
    article.id = messageId(requestId)
    article.dataset["requestId"] = requestId
  }

  /** Shows how a message stands. A row that the server drew has only its state to change. */
  stand(article: HTMLElement, standing: Standing): void {
    if (article.dataset["state"] !== standing.state) article.dataset["state"] = standing.state
    article.toggleAttribute("data-steering", standing.steering)
    const caption = article.querySelector<HTMLElement>(":scope > .caption:not(.caption-after)")
    if (caption) caption.hidden = !standing.steering
    say(article.querySelector<HTMLElement>(":scope > .state"), standing.words)
    say(article.querySelector<HTMLElement>(":scope > .state-detail"), standing.detail)
    for (const button of article.querySelectorAll<HTMLElement>(":scope > .row-actions > [data-action]")) {
      button.hidden = !standing.actions.some((action) => action === button.dataset["action"])
    }
  }

  /** The inside of .message-content: its text is the message's text exactly. */
  #content(message: Draft): Node[] {
    const nodes: Node[] = []
    let at = 0
    const text = (to: number): void => {
      if (to > at) nodes.push(document.createTextNode(message.text.slice(at, to)))
      at = to
    }
    for (const mark of message.tags) {
      if (!drawable(mark) || mark.start < at) continue
      const covered = message.text.slice(mark.start, mark.end)
      if (covered !== formOf(mark) || !coverable(covered)) continue
      text(mark.start)
      nodes.push(this.#chips.draw(mark, covered, mark))
      at = mark.end
    }
    text(message.text.length)
    if (/[\r\n]$/.test(message.text)) nodes.push(messageEnd())
    return nodes
  }
}

/** Without something behind it, a selection leaves a last line break out. */
function messageEnd(): HTMLElement {
  const end = document.createElement("span")
  end.className = "message-end"
  return end
}

function say(element: HTMLElement | null, words: string): void {
  if (!element) return
  if (element.textContent !== words) element.textContent = words
  element.hidden = words === ""
}
