import { isObject, parseJSON } from "./json.ts"
import { coverable, formOf, isCommand, maxMarks, shifted, type Command, type CommandMark, type Draft, type InlineTag, type Mark, type Tag } from "./message.ts"

/**
 * Reads a message that comes from outside: a stored draft, the clipboard, the
 * log. What does not hold for the text is dropped; the text stands. Tags
 * without a range are put before the text, as the server does.
 */
export function parseDraft(text: string, tags: unknown): Draft {
  const list = typeof tags === "string" ? parseJSON(tags) : tags
  if (!Array.isArray(list)) return { text, tags: [] }
  const ahead: Tag[] = []
  const marks: Mark[] = []
  for (const entry of list.slice(0, maxMarks)) {
    const mark = readMark(entry, text)
    if (mark) marks.push(mark)
    else if (isPrefix(entry)) {
      const tag = readTag(entry)
      if (tag) ahead.push(tag)
    }
  }
  return withPrefix(ahead, { text, tags: inOrder(marks) })
}

/** Reads the annotations of a message as the server stores them. */
export function parseAnnotations(content: string, annotations: unknown): Draft {
  if (!Array.isArray(annotations)) return { text: content, tags: [] }
  const entries = annotations.map((entry) =>
    isObject(entry) && entry["type"] === "reference" && isObject(entry["reference"])
      ? { ...entry["reference"], start: entry["start"], end: entry["end"] }
      : entry,
  )
  return parseDraft(content, entries.filter((entry) => !isPrefix(entry)))
}

function isPrefix(entry: unknown): boolean {
  return isObject(entry) && entry["type"] !== "command" && !("start" in entry) && !("end" in entry)
}

function readMark(entry: unknown, text: string): Mark | null {
  if (!isObject(entry)) return null
  const { start, end } = entry
  if (!isOffset(start) || !isOffset(end) || start >= end || end > text.length) return null
  const covered = text.slice(start, end)
  if (!coverable(covered)) return null
  if (entry["type"] === "command") return readCommandMark(entry, start, end, covered)
  const tag = readTag(entry)
  return tag && formOf(tag) === covered ? { ...tag, start, end } : null
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Reads the fields of a tag; null where it has no id. */
export function readTag(entry: unknown): Tag | null {
  if (!isObject(entry) || typeof entry["id"] !== "string" || entry["id"] === "") return null
  const tag: Tag = { id: entry["id"] }
  for (const name of ["kind", "label", "value", "serialized"] as const) {
    const value = entry[name]
    if (typeof value === "string") tag[name] = value
  }
  if (typeof entry["removable"] === "boolean") tag.removable = entry["removable"]
  return tag
}

function readCommandMark(entry: Record<string, unknown>, start: number, end: number, text: string): CommandMark | null {
  const command = readCommand(entry["command"])
  if (!command) return null
  const mark: CommandMark = { type: "command", start, end, text, command }
  const path = stringList(entry["subcommandPath"])
  if (path) mark.subcommandPath = path
  return mark
}

const categories = ["custom", "skill", "system"] as const

/** Reads a command as the server sends it; null where it has no name. */
export function readCommand(value: unknown): Command | null {
  if (!isObject(value) || typeof value["name"] !== "string" || value["name"] === "") return null
  const command: Command = { name: value["name"] }
  for (const name of ["description", "argumentHint", "source"] as const) {
    const field = value[name]
    if (typeof field === "string") command[name] = field
  }
  const category = categories.find((c) => c === value["displayCategory"])
  if (category) command.displayCategory = category
  const subcommands = stringList(value["subcommands"])
  if (subcommands) command.subcommands = subcommands
  return command
}

function stringList(value: unknown): string[] | null {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null
}

/** Sorts marks, and keeps the first of those of a type that overlap. */
function inOrder(marks: Mark[]): Mark[] {
  const sorted = marks.map((mark, i) => ({ mark, i })).sort((a, b) => a.mark.start - b.mark.start || a.i - b.i)
  const ends = { reference: 0, command: 0 }
  const kept: Mark[] = []
  for (const { mark } of sorted) {
    const type = isCommand(mark) ? "command" : "reference"
    if (mark.start < ends[type]) continue
    ends[type] = mark.end
    kept.push(mark)
  }
  return kept
}

function withPrefix(ahead: readonly Tag[], draft: Draft): Draft {
  if (ahead.length === 0) return draft
  let text = ""
  const tags: Mark[] = []
  for (const tag of ahead) {
    if (text !== "") text += "\n"
    const start = text.length
    text += formOf(tag)
    if (coverable(formOf(tag))) tags.push({ ...tag, start, end: text.length } satisfies InlineTag)
  }
  if (draft.text !== "") text += "\n\n"
  return { text: text + draft.text, tags: [...tags, ...shifted(draft.tags, text.length)] }
}
