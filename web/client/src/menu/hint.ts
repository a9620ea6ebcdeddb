import { type EditorState, type Extension } from "@codemirror/state"
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view"
import type { Command } from "../message.ts"
import { visible } from "../visible.ts"
import type { CommandList } from "./commands.ts"

/** Shows what a command's argument may be, behind "/name ", until something is typed. It is drawn, and no part of the message. */
export function argumentHint(list: CommandList): Extension {
  return ViewPlugin.define(
    (view) => ({
      decorations: hintIn(view.state, list),
      update(update: ViewUpdate): void {
        if (update.docChanged || update.selectionSet) this.decorations = hintIn(update.state, list)
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  )
}

function hintIn(state: EditorState, list: CommandList): DecorationSet {
  const end = state.doc.length
  const { main } = state.selection
  // A longer message is none that has just its command.
  if (end > 1024 || !main.empty || main.head !== end) return Decoration.none
  const hint = hintFor(state.doc.toString(), list.known ?? [])
  return hint ? Decoration.set(Decoration.widget({ widget: new Hint(hint), side: 1 }).range(end)) : Decoration.none
}

/** The hint for a message that says no more than a command, or its subcommand, and a space; "" for none. */
export function hintFor(text: string, commands: readonly Command[]): string {
  const m = /^\/(\S+) (?:(\S.*) )?$/.exec(text)
  const command = m && commands.find((one) => one.name === m[1])
  if (!command || (m[2] !== undefined && !command.subcommands?.includes(m[2]))) return ""
  return command.argumentHint ?? ""
}

class Hint extends WidgetType {
  constructor(readonly text: string) {
    super()
  }

  override eq(other: Hint): boolean {
    return other.text === this.text
  }

  override toDOM(view: EditorView): HTMLElement {
    const hint = view.dom.ownerDocument.createElement("span")
    hint.className = "menu-hint"
    hint.setAttribute("aria-hidden", "true")
    hint.textContent = visible(this.text)
    return hint
  }
}
