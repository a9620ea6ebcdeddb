import type { EditorView } from "@codemirror/view"
import { insertTag } from "../editor/chips.ts"
import { formOf, type Tag } from "../message.ts"
import { uuid } from "../uuid.ts"
import type { Words } from "../words.ts"
import { readMentions, type Mention, type MentionGroup } from "./answer.ts"
import { addressOf, gapOf, type Getter } from "./get.ts"
import { unescape } from "./escape.ts"
import type { Found, Group, Item, Source, Token } from "./item.ts"
import { match } from "./match.ts"
import { beforeCaret } from "./text.ts"
import { maxQuery, mentionIn } from "./trigger.ts"

export interface MentionOptions {
  /** The address of the menu's data. */
  url: string
  /** The session's id; null before its first message. */
  session(): string | null
  words: Words
  get: Getter
}

/** The @ menu: files of the workspace, and what else there is to refer to. */
export class MentionSource implements Source {
  readonly id = "mention-menu"
  readonly label: string
  readonly #options: MentionOptions

  constructor(options: MentionOptions) {
    this.#options = options
    this.label = options.words.t("menu.mentions")
  }

  find(view: EditorView): Token | null {
    const before = beforeCaret(view, maxQuery + 16)
    const found = before && mentionIn(before.text, before.whole)
    return found && { from: before.from + found.at, to: before.from + before.text.length, query: found.query }
  }

  known(): null {
    return null
  }

  async query(token: Token, signal: AbortSignal): Promise<Found> {
    const { url, session, get } = this.#options
    const answer = await get(addressOf(url, { q: token.query, session: session() }), signal)
    const groups = answer.kind === "ok" ? readMentions(answer.json) : null
    if (!groups) return { groups: [], gap: gapOf(answer) }
    const found = { groups: groups.map((group) => this.#group(group, token)) }
    const errors = groups.map((group) => group.error).filter((error) => error !== "")
    if (errors.length > 0) return { ...found, gap: "failed", words: errors.join(" ") }
    return groups.some((group) => group.partial) ? { ...found, gap: "partial" } : found
  }

  /** What cannot be meant any more goes at once, and does not wait for the answer. */
  narrow(groups: readonly Group[], token: Token): Group[] {
    const query = unescape(token.query)
    return groups.map((group) => ({ ...group, items: group.items.filter((item) => match(query, item.value) ?? match(query, item.title)) }))
      .filter((group) => group.items.length > 0)
  }

  #group(group: MentionGroup, token: Token): Group {
    const folder = unescape(token.query) // one that is open already cannot be opened
    return { label: group.label || this.label, items: group.mentions.map((one) => itemOf(one, one.directory && one.tag.value !== folder)) }
  }
}

function itemOf(mention: Mention, opens: boolean): Item {
  const { tag, title, detail, matches, detailMatches } = mention
  return {
    kind: tag.kind ?? "", icon: mention.directory ? "folder" : "kind", value: tag.value ?? formOf(tag), hint: "",
    title, detail, matches, detailMatches,
    pick: (view, token) => insertTag(view, token.from, token.to, chipOf(tag)),
    ...(opens && { drill: (view: EditorView, token: Token) => drill(view, token, tag) }),
  }
}

/** Each chip has an id of its own: the same file may be in a message twice. */
function chipOf(tag: Tag): Tag {
  return { ...tag, id: uuid() }
}

/** Writes the folder into the query, so that the menu goes on with what is in it. */
function drill(view: EditorView, token: Token, tag: Tag): void {
  const form = formOf(tag)
  const insert = (form.startsWith("@") ? "" : "@") + form + (form.endsWith("/") ? "" : "/")
  view.dispatch({
    changes: { from: token.from, to: token.to, insert },
    selection: { anchor: token.from + insert.length },
    userEvent: "input.complete",
    scrollIntoView: true,
  })
}
