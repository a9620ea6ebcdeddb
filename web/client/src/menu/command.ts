import type { EditorView } from "@codemirror/view"
import { markCommand } from "../editor/chips.ts"
import { isCoarse } from "../editor/pointer.ts"
import type { Command } from "../message.ts"
import type { Words } from "../words.ts"
import type { CommandList } from "./commands.ts"
import { filter, grouped, type Hit } from "./filter.ts"
import type { Found, Group, Item, Source, Token } from "./item.ts"
import { match } from "./match.ts"
import type { Span } from "./segments.ts"
import { beforeCaret, type Before } from "./text.ts"
import { commandIn, maxQuery, subcommandIn } from "./trigger.ts"

/** What a message begins with so far: the part of a command, or of its subcommand. */
interface CommandToken extends Token {
  /** The command whose subcommand is being written. */
  command?: Command
}

const categories = ["custom", "skill", "system", ""] as const

/** The / menu: the commands of the session's agent, at the very start of a message. */
export class CommandSource implements Source {
  readonly id = "command-menu"
  readonly optional = true // the agent gets the same text
  readonly label: string
  readonly #list: CommandList
  readonly #words: Words

  constructor(list: CommandList, words: Words) {
    this.#list = list
    this.#words = words
    this.label = words.t("menu.commands")
  }

  find(view: EditorView): CommandToken | null {
    const before = beforeCaret(view, maxQuery + 16)
    if (!before?.first) return null
    const found = commandIn(before.text)
    if (!found) return this.#findSubcommand(before)
    if (found.query.includes("/") && !this.#list.known?.some((one) => match(found.query, one.name))) return null // a path
    return { from: 0, to: before.text.length, query: found.query }
  }

  #findSubcommand(before: Before): CommandToken | null {
    const found = subcommandIn(before.text)
    const command = found && this.#list.known?.find((one) => one.name === found.name)
    if (!found || !command?.subcommands?.length || found.query.startsWith("@")) return null
    return { from: found.at - 1, to: before.text.length, query: found.query, command } // from the space, which starts it
  }

  known(token: CommandToken): Found | null {
    return this.#list.fresh ? this.#found(token) : null
  }

  async query(token: CommandToken): Promise<Found> {
    const gap = await this.#list.load()
    const found = this.#found(token)
    return gap ? { ...found, gap } : found
  }

  /** The list that is known already is the best there is until the new one comes. */
  narrow(_groups: readonly Group[], token: CommandToken): Group[] {
    return this.#found(token).groups
  }

  #found(token: CommandToken): Found {
    const { command } = token
    if (command) {
      const hits = filter(command.subcommands ?? [], token.query, (name) => name)
      return { groups: [{ label: command.name, items: hits.map((hit) => subcommandItem(command, hit)) }] }
    }
    const hits = filter(this.#list.known ?? [], token.query, (one) => one.name)
    const groups = grouped(hits, (hit) => hit.value.displayCategory ?? "", token.query === "" ? categories : null)
    return { groups: groups.map(([category, members]) => ({ label: this.#heading(category), items: members.map(commandItem) })) }
  }

  #heading(category: (typeof categories)[number]): string {
    return this.#words.t(category === "" ? "menu.commands" : `menu.${category}`)
  }
}

function commandItem({ value: command, matches }: Hit<Command>): Item {
  return {
    kind: command.displayCategory ?? "", icon: "none", value: command.name,
    title: "/" + command.name, matches: matches.map(([start, end]): Span => [start + 1, end + 1]),
    hint: command.argumentHint ?? "", detail: command.description ?? "", detailMatches: [],
    ...writing("/" + command.name, command, (token) => token.query === command.name && !command.subcommands?.length),
  }
}

function subcommandItem(command: Command, { value: name, matches }: Hit<string>): Item {
  return {
    kind: command.displayCategory ?? "", icon: "none", value: name,
    title: name, matches, hint: "", detail: "", detailMatches: [],
    ...writing(`/${command.name} ${name}`, command, (token) => token.query === name, [name]),
  }
}

/** What picking does; ends tells whether the token is all of it. */
function writing(text: string, command: Command, ends: (token: Token) => boolean, path?: string[]): Pick<Item, "pick" | "finish"> {
  return {
    pick: (view, token) => markCommand(view, 0, token.to, text, command, path),
    finish(view, token) {
      // Where Enter breaks lines, picking is all that it can do here.
      if (command.argumentHint || isCoarse() || !ends(token)) return false
      if (/\S/.test(view.state.sliceDoc(token.to, token.to + 1))) return false
      markCommand(view, 0, token.to, text, command, path, "")
      return true
    },
  }
}
