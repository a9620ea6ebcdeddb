import { Prec, type Extension } from "@codemirror/state"
import { EditorView, ViewPlugin } from "@codemirror/view"
import type { Words } from "../words.ts"
import { CommandSource } from "./command.ts"
import { CommandList } from "./commands.ts"
import type { Getter } from "./get.ts"
import { argumentHint } from "./hint.ts"
import { MentionSource } from "./mention.ts"
import { Menu } from "./menu.ts"

export interface MenuOptions {
  /** Addresses of the menus' data. */
  urls: { mentions: string; commands: string }
  /** The session's id; null before its first message. */
  session(): string | null
  words: Words
  /** Says something to assistive technology, politely. */
  announce(text: string): void
  /** A copy of the icon for a kind of reference. */
  icon(kind: string): Node
  /** Asks our server for JSON: http.ts' request. */
  get: Getter
}

/** The menus of a message box: references after "@", and commands after "/" at the start of the message. */
export function menus(options: MenuOptions): Extension {
  const { words, session, get } = options
  const list = new CommandList({ url: options.urls.commands, session, get })
  // A command's own menu goes first: "/" begins the message, and no reference.
  const sources = [new CommandSource(list, words), new MentionSource({ url: options.urls.mentions, session, words, get })]
  const plugin = ViewPlugin.define(
    (view) => new Menu(view, sources, {
      document: view.dom.ownerDocument, words,
      icon: (kind) => options.icon(kind),
      announce: (text) => options.announce(text),
    }),
    { provide: (menu) => EditorView.contentAttributes.of((view) => view.plugin(menu)?.attributes ?? null) },
  )
  // Before the editor's keys: while a menu is open, Enter is the menu's.
  const keys = Prec.highest(EditorView.domEventHandlers({
    keydown: (event, view) => view.plugin(plugin)?.keydown(event) ?? false,
  }))
  return [plugin, keys, argumentHint(list)]
}
