import type { Draft } from "../message.ts"

/**
 * A textarea shows CRLF and CR as LF (HTML's "normalize newlines"), so that a
 * message with CR in it is not what the textarea says. These go from one to the
 * other.
 */
export function withLF(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
}

/** A message as a textarea shows it. Marks hold no line breaks, so they only move. */
export function draftWithLF(draft: Draft): Draft {
  if (!draft.text.includes("\r")) return draft
  const moved = (offset: number): number => withLF(draft.text.slice(0, offset)).length
  return { text: withLF(draft.text), tags: draft.tags.map((mark) => ({ ...mark, start: moved(mark.start), end: moved(mark.end) })) }
}

/** Where an offset in a textarea is in the message that it shows. */
export function offsetBehindLF(text: string, shown: number): number {
  if (!text.includes("\r")) return shown
  let at = 0
  for (let seen = 0; seen < shown && at < text.length; seen++) at += text.startsWith("\r\n", at) ? 2 : 1
  return at
}
