/**
 * A message as it is being written. Offsets are UTF-16 units of the text, half
 * open, as JavaScript counts.
 */

/** What the composer owns for one chip. The server's `composer.Reference` has the same members. */
export interface Tag {
  id: string
  kind?: string
  label?: string
  value?: string
  serialized?: string
  /** false: Backspace steps over the chip, and it has no remove button. */
  removable?: boolean
}

/** A chip in a text, which spells its form from `start` to `end`. */
export interface InlineTag extends Tag {
  start: number
  end: number
}

/** A command of the agent's, as the / menu knows it. */
export interface Command {
  name: string
  description?: string
  argumentHint?: string
  source?: string
  displayCategory?: "custom" | "skill" | "system"
  subcommands?: string[]
}

/** A command taken from the menu. It is stored, and not drawn. */
export interface CommandMark {
  type: "command"
  start: number
  end: number
  text: string
  command: Command
  subcommandPath?: string[]
}

export type Mark = InlineTag | CommandMark

/** A text with its marks in order of `start`, none overlapping another of its type. */
export interface Draft {
  text: string
  /** Goes on the wire as `tags`. */
  tags: Mark[]
}

export const emptyDraft: Readonly<Draft> = Object.freeze({ text: "", tags: [] })

/** The server takes no more marks in one message. */
export const maxMarks = 256

/** A chip covers at most this many UTF-16 units, and no line break. */
export const maxChipText = 1024

export function isCommand(mark: Mark): mark is CommandMark {
  return (mark as CommandMark).type === "command"
}

/** The text that a tag stands for: its first member that says one, or "". */
export function formOf(tag: Tag): string {
  return tag.serialized || tag.value || tag.label || tag.id
}

/** Whether a text can be a chip: it must not cover and hide a message. */
export function coverable(text: string): boolean {
  return text.length <= maxChipText && !/[\r\n]/.test(text) && !isBlank(text)
}

/** Whether there is nothing but white space, as the server counts it (Go's unicode.IsSpace). */
export function isBlank(text: string): boolean {
  return !/[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(text)
}

/** Joins messages with an empty line between them. */
export function joinDrafts(parts: readonly Draft[]): Draft {
  const joined: Draft = { text: "", tags: [] }
  for (const part of parts) {
    if (part.text === "") continue
    if (joined.text !== "") joined.text += "\n\n"
    joined.tags.push(...shifted(part.tags, joined.text.length))
    joined.text += part.text
  }
  return joined
}

/** The marks that lie whole in the part of a text from `from` to `to`, as marks of that part. */
export function marksWithin(marks: readonly Mark[], from: number, to: number): Mark[] {
  return shifted(marks.filter((mark) => mark.start >= from && mark.end <= to), -from)
}

/** Marks in a text that begins so many units earlier. */
export function shifted(marks: readonly Mark[], by: number): Mark[] {
  return marks.map((mark) => ({ ...mark, start: mark.start + by, end: mark.end + by }))
}

/** Whether two drafts would be the same message. Ids of chips are their own. */
export function sameDraft(a: Draft, b: Draft): boolean {
  return a.text === b.text && JSON.stringify(a.tags) === JSON.stringify(b.tags)
}

/**
 * A text as the server stores it: NUL and lone surrogates become U+FFFD, one
 * unit for one, so that ranges hold. Nothing else changes.
 */
export function canonical(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, "\uFFFD")
}
