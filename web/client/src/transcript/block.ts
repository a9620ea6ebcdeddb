import { morph, moveBefore } from "./morph.ts"

/** What a change added to the text of an open block. */
export interface Growth {
  /** Text of parts that are finished, "" for none. */
  finished: string
  /** The whole text of the rest, or null where that did not change as a whole. */
  rest: string | null
  /** Text that was appended to the rest. */
  appended: string
}

/** A text of more than this many UTF-16 units is laid out in parts of about so many. */
const partLength = 4096

/**
 * Applies the parts of an open block, in order: "done" goes to what is
 * finished, "tail" takes the place of the rest, "text" is appended to it. What
 * is finished is never touched again, so that a part's cost does not grow with
 * the answer.
 */
export function applyParts(row: Element, parts: readonly HTMLTemplateElement[]): Growth {
  const growth: Growth = { finished: "", rest: null, appended: "" }
  const done = row.querySelector(".done")
  const tail = row.querySelector<HTMLElement>(".tail")
  if (!done || !tail) return growth
  for (const part of parts) {
    switch (part.dataset["part"]) {
      case "done":
        growth.finished += finish(done, tail, part.content)
        break
      case "tail":
        growth.rest = part.content.textContent ?? ""
        growth.appended = ""
        retail(tail, part.content)
        break
      case "text": {
        const text = part.content.textContent ?? ""
        growth.appended += text
        appendText(tail, text)
      }
    }
  }
  return growth
}

/** A block closes: what was its rest becomes finished, so that a selection in it stays when the whole is drawn. */
export function closeBlock(row: Element): void {
  const done = row.querySelector(".done")
  const tail = row.querySelector<HTMLElement>(".tail")
  if (!done || !tail || tail.dataset["plain"] !== undefined) return
  for (const element of [...tail.children]) moveBefore(done, element, null)
}

/** Moves the rest's elements to what is finished where they become it, so that a selection in them stays. */
function finish(done: Element, tail: HTMLElement, content: DocumentFragment): string {
  const text = content.textContent ?? ""
  const rest = tail.dataset["plain"] === undefined ? [...tail.children] : []
  for (const node of [...content.childNodes]) {
    const old = node instanceof Element ? rest.shift() : undefined
    if (old && node instanceof Element && old.tagName === node.tagName) {
      moveBefore(done, old, null)
      morph(old, node)
    } else {
      done.append(node)
    }
  }
  return text
}

/** Puts another rest in. One that is nothing but white space leaves nothing. */
function retail(tail: HTMLElement, content: DocumentFragment): void {
  const empty = content.childElementCount === 0 && !content.textContent?.trim()
  if (empty || tail.dataset["plain"] !== undefined) {
    delete tail.dataset["plain"]
    tail.replaceChildren(...(empty ? [] : [content]))
    return
  }
  const like = tail.cloneNode(false) as Element
  like.append(content)
  morph(tail, like)
}

/** Appends source text. It is cut at line breaks into parts, so that only the last one is laid out again. */
function appendText(tail: HTMLElement, text: string): void {
  tail.dataset["plain"] = ""
  const last = tail.lastElementChild
  const part = last instanceof HTMLElement && last.classList.contains("tail-part") ? last : newPart(tail)
  const grown = (part.textContent ?? "") + text
  const cut = grown.length > partLength ? grown.indexOf("\n", partLength - 1) : -1
  if (cut < 0) {
    part.append(text)
    part.normalize()
    return
  }
  part.textContent = grown.slice(0, cut + 1)
  if (cut + 1 < grown.length) {
    newPart(tail)
    appendText(tail, grown.slice(cut + 1))
  }
}

function newPart(tail: HTMLElement): HTMLElement {
  const part = tail.ownerDocument.createElement("div")
  part.className = "tail-part"
  tail.append(part)
  return part
}
