import { emptyDraft, joinDrafts, type Draft } from "../message.ts"
import type { Submission } from "./submission.ts"

/** The composer, as far as messages are put back into it. */
export interface Box {
  get(): Draft
  set(draft: Draft): void
  isEmpty(): boolean
  isComposing(): boolean
}

/** What the composer holds of failed messages. */
interface Restored {
  /** In the order of submission. */
  parts: readonly Submission[]
  text: string
  /** The person has typed since: what is there is theirs. */
  touched: boolean
}

/**
 * Puts messages that failed back into the composer: by itself only where it is
 * empty or holds nothing but what was put back before, and never twice.
 */
export class Restorer {
  readonly #box: Box
  #restored: Restored | null = null

  constructor(box: Box) {
    this.#box = box
  }

  /** The requests whose text the composer holds. */
  get holds(): readonly string[] {
    return this.#restored?.parts.map((part) => part.requestId) ?? []
  }

  /** A message has failed. Reports whether it was put into the composer. */
  failed(s: Submission): boolean {
    if (this.#box.isComposing()) return false
    const parts = this.#isUntouched() ? this.#restored!.parts : this.#box.isEmpty() ? [] : null
    if (parts === null || parts.some((part) => part.order === s.order)) return false
    this.#put([...parts, s].sort((a, b) => a.order - b.order))
    return true
  }

  /** A message that failed is on its way again, or has reached the server after all. What the person has touched stays. */
  withdraw(s: Submission): void {
    const parts = this.#restored?.parts ?? []
    if (!this.#isUntouched() || !parts.some((part) => part.order === s.order)) return
    if (this.#box.isComposing()) this.typed()
    else this.#put(parts.filter((part) => part.order !== s.order))
  }

  /** Messages failed on an earlier page, whose draft may hold them. */
  resumed(failed: readonly Submission[]): void {
    const { text } = this.#box.get()
    const parts = failed.filter((s) => `\n\n${text}`.includes(`\n\n${s.message.text}`)) // joined by blank lines
    if (parts.length > 0) this.#restored = { parts, text, touched: text !== joinDrafts(parts.map((part) => part.message)).text }
  }

  /** The person wants to edit a message that failed: it comes after what is there already, unless it is there. */
  edit(s: Submission): void {
    const now = this.#box.get()
    const held = this.#restored?.parts.some((part) => part.order === s.order) ?? false
    if (held && now.text.includes(s.message.text)) {
      this.#restored = { ...this.#restored!, touched: true }
      return
    }
    const draft = joinDrafts([now, s.message])
    this.#restored = { parts: [...(this.#restored?.parts ?? []).filter((part) => part.order !== s.order), s], text: draft.text, touched: true }
    this.#box.set(draft)
  }

  /** The person has changed the composer's text. */
  typed(): void {
    if (!this.#restored) return
    this.#restored = this.#box.isEmpty() ? null : { ...this.#restored, touched: true }
  }

  /** The composer's text was sent. Gives the messages that it came from. */
  sent(text: string): readonly Submission[] {
    const restored = this.#restored
    this.#restored = null
    if (!restored) return []
    return restored.touched ? restored.parts.filter((part) => stemsFrom(text, part.message.text)) : restored.parts
  }

  #isUntouched(): boolean {
    return this.#restored !== null && !this.#restored.touched && this.#box.get().text === this.#restored.text
  }

  #put(parts: readonly Submission[]): void {
    const draft = parts.length > 0 ? joinDrafts(parts.map((part) => part.message)) : emptyDraft
    this.#restored = parts.length > 0 ? { parts, text: draft.text, touched: false } : null
    this.#box.set(draft)
  }
}

/**
 * Whether a text is another one that was edited: at least one half of that is
 * still there. A text that merely took its place is not: then the other one
 * must stay to be seen.
 */
export function stemsFrom(text: string, original: string): boolean {
  const middle = original.length >> 1
  return text.includes(original.slice(0, middle || 1)) || text.includes(original.slice(middle))
}
