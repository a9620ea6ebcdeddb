import { maxChipText } from "../message.ts"

/** A trigger in the text before the caret. */
export interface Trigger {
  /** Offset of the trigger character, in UTF-16 units of that text. */
  at: number
  query: string
}

/** The longest query: what a chip may cover at most. */
export const maxQuery = maxChipText

/**
 * Finds the reference being written at the end of a text: "@" and what follows
 * it without white space, unless that is escaped with a backslash. The text
 * ends at the caret; whole tells that it begins where a line does, or right
 * after a chip, and not in the middle of other text.
 *
 * "@" counts at the start, after white space and after an opening bracket or
 * quote. It counts after a script that is written without spaces and after an
 * emoji as well: nobody puts a space between 看 and @. After the letters,
 * digits and signs of e-mail addresses it does not.
 */
export function mentionIn(before: string, whole: boolean): Trigger | null {
  const start = afterLastSpace(before)
  for (let i = before.length - 1; i >= start; i--) {
    if (before[i] !== "@" && before[i] !== "＠") continue
    if (i === 0 ? whole : i === start || opens.test(lastCharacter(before.slice(0, i)))) return triggerAt(before, i)
  }
  return null
}

/**
 * Finds the command being written at the end of a text that begins the
 * message: "/" and what follows it without white space. "／" and "、" are what
 * Chinese input methods make of the key.
 */
export function commandIn(before: string): Trigger | null {
  return /^[/／、]/.test(before) && afterLastSpace(before) === 0 ? triggerAt(before, 0) : null
}

/**
 * Finds what follows a command's name: "/name sub". null where the text is not
 * of that form; `name` is the text between the slash and the space.
 */
export function subcommandIn(before: string): (Trigger & { name: string }) | null {
  const m = /^[/／、](\S+) (\S*)$/.exec(before)
  if (!m || m[2]!.length > maxQuery) return null
  return { name: m[1]!, at: before.length - m[2]!.length, query: m[2]! }
}

function triggerAt(before: string, at: number): Trigger | null {
  const query = before.slice(at + 1)
  return query.length <= maxQuery ? { at, query } : null
}

/** What the server escapes in a path: Go's unicode.IsSpace. */
const space = /[\t-\r\u0085\p{Z}]/u

/** Offset after the last white space that no backslash escapes. */
function afterLastSpace(text: string): number {
  for (let i = text.length - 1; i >= 0; i--) {
    if (space.test(text[i]!) && !escaped(text, i)) return i + 1
  }
  return 0
}

/** Whether an odd number of backslashes stands before the unit at i. */
function escaped(text: string, i: number): boolean {
  let from = i
  while (from > 0 && text[from - 1] === "\\") from--
  return (i - from) % 2 === 1
}

function lastCharacter(text: string): string {
  return [...text.slice(-2)].at(-1) ?? ""
}

/**
 * A character that may stand right before "@". It is held against single
 * characters: Chromium 148 does not find a class with characters beyond U+FFFF
 * before a "$".
 */
const opens = new RegExp(
  "[" +
    "\\t-\\r\\u0085\\p{Z}" + // escaped white space: of a name that did not become a chip
    "\\p{Ps}\\p{Pi}\"'`" +
    "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Hangul}" +
    "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}" +
    "\\u3000-\\u303F\\u30FB\\u30FC\\uFF01-\\uFF0F\\uFF1A-\\uFF1F\\uFF3B-\\uFF40\\uFF5B-\\uFF65" + // their punctuation
    "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}\\uFE0F\\u20E3\\u{E007F}" +
    "]",
  "u",
)
