import { isObject } from "../json.ts"
import { coverable, formOf, type Tag } from "../message.ts"
import { readTag } from "../parse.ts"
import { checkedSpans, type Span } from "./segments.ts"

/** A line of the @ menu as the server describes it. */
export interface Mention {
  tag: Tag
  title: string
  detail: string
  directory: boolean
  matches: Span[]
  detailMatches: Span[]
}

export interface MentionGroup {
  provider: string
  label: string
  mentions: Mention[]
  /** There may be more. */
  partial: boolean
  /** Says why the provider has nothing to say; "" where it has. */
  error: string
}

const maxGroups = 32
const maxItems = 50
const maxShown = 1024

/**
 * Reads the answer of /mentions: {"groups":[{provider, label, items, partial?,
 * error?}]}. null where it is none; what of it cannot be used is left out.
 */
export function readMentions(json: unknown): MentionGroup[] | null {
  if (!isObject(json) || !Array.isArray(json["groups"])) return null
  return json["groups"].slice(0, maxGroups).filter(isObject).map((group) => ({
    provider: text(group["provider"]),
    label: text(group["label"]),
    mentions: items(group["items"]),
    partial: group["partial"] === true,
    error: text(group["error"]),
  }))
}

function items(value: unknown): Mention[] {
  if (!Array.isArray(value)) return []
  const mentions: Mention[] = []
  for (const entry of value) {
    if (mentions.length === maxItems) break
    const mention = isObject(entry) ? readMention(entry) : null
    if (mention) mentions.push(mention)
  }
  return mentions
}

function readMention(entry: Record<string, unknown>): Mention | null {
  const tag = readTag(entry["tag"])
  if (!tag || !coverable(formOf(tag))) return null
  const title = text(entry["title"])
  const detail = text(entry["detail"])
  return {
    tag,
    title: title || formOf(tag),
    detail,
    directory: entry["directory"] === true,
    matches: title ? checkedSpans(entry["matches"], title) : [],
    detailMatches: checkedSpans(entry["detailMatches"], detail),
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxShown) : ""
}
