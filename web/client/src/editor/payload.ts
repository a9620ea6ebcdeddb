import { isObject, parseJSON } from "../json.ts"
import { isCommand, type Draft } from "../message.ts"
import { parseDraft } from "../parse.ts"
import { withLF } from "./newline.ts"

/** The clipboard type that carries a message's tags beside its plain text: JSON of a Draft. */
export const payloadType = "application/x-webshell-composer"

/** A longer payload is not read. */
const maxPayload = 4 << 20

/** What is put on the clipboard for a part of a message, or null where plain text says it all. */
export function payloadOf(draft: Draft): string | null {
  return draft.tags.length > 0 ? JSON.stringify({ text: draft.text, tags: draft.tags }) : null
}

/**
 * Reads what was pasted or dropped. Anyone can write a payload: it counts only
 * where it says the same as the plain text, its tags are checked like any from
 * outside, and a chip that could not be removed becomes one that can. Windows'
 * clipboard turns line feeds into CRLF; crlf says that the plain text has been
 * there. Nothing else about the text is changed.
 */
export function readPayload(plain: string, payload: string, crlf = false): Draft {
  const text = crlf ? plain.replaceAll("\r\n", "\n") : plain
  const data = payload.length > maxPayload ? null : readPiece(payload)
  if (data === null || withLF(data.text) !== withLF(text)) return { text, tags: [] }
  const inline = Array.isArray(data.tags) ? data.tags.filter(hasRange) : []
  const draft = parseDraft(data.text, inline)
  return { text: draft.text, tags: draft.tags.map((mark) => (isCommand(mark) || mark.removable !== false ? mark : { ...mark, removable: true })) }
}

function hasRange(entry: unknown): boolean {
  return isObject(entry) && "start" in entry && "end" in entry
}

function readPiece(json: string): { text: string; tags: unknown } | null {
  const data = parseJSON(json)
  if (!isObject(data)) return null
  const { text, tags } = data
  return typeof text === "string" ? { text, tags } : null
}
