import type { Extension } from "@codemirror/state"
import type { Draft, Tag } from "../message.ts"
import type { Words } from "../words.ts"

/** A message box: the plain textarea of the page, or the rich one that takes its place. */
export interface Editor {
  /** The element with the role textbox. */
  readonly element: HTMLElement
  get(): Draft
  /** Puts another message in. The undo history begins anew, the caret is at the end. */
  set(draft: Draft): void
  /** Takes the message out, in one step; undo never brings it back. */
  take(): Draft
  isEmpty(): boolean
  /** Whether an input method is composing: keys belong to it. */
  isComposing(): boolean
  focus(): void
  /** Calls back after each change of the message, until the function it returns is called. byPerson is false for set and take. */
  onChange(listener: (byPerson: boolean) => void): () => void
  /** Lets go of the page's elements and listeners. */
  destroy(): void
}

/** What an editor asks of the page. */
export interface EditorHost {
  /** The message is to be sent; other: in the way that is not Enter's. Never called while an input method composes. */
  submit(other: boolean): void
  /**
   * The message before (-1) or after (1) in the list of those that were sent,
   * for ArrowUp and ArrowDown at the text's edges; null: stay. The editor calls
   * it only where its text is empty or still the recalled one. Past the newest
   * comes the empty message.
   */
  recall(direction: -1 | 1): Draft | null
}

/** What the rich message box needs to take the textarea's place. */
export interface RichOptions {
  host: EditorHost
  words: Words
  /** The nonce that the page's content security policy wants on styles. */
  nonce: string
  /** What is in the textarea, with its tags. */
  draft: Draft
  /** Draws a chip; text is what it covers. */
  chip(tag: Tag, text: string): HTMLElement
  /** Says something to assistive technology, politely. */
  announce(text: string): void
  /** What plugs in, such as menus. Their keys come before the editor's own. */
  extensions?: readonly Extension[]
}
