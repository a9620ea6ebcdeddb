import { insertNewline } from "@codemirror/commands"
import type { EditorView, KeyBinding } from "@codemirror/view"
import type { Composition } from "./composition.ts"
import { openSelectedFold } from "./folds.ts"
import { isCoarse } from "./pointer.ts"

/**
 * Enter sends, Shift+Enter breaks the line; where a finger is the pointer Enter
 * breaks the line too. With Ctrl or Cmd it always sends, in the other of the two
 * ways where there are two. An Enter that confirms
 * what an input method composed does neither, and on a selected fold it opens
 * it.
 */
export function enterKeys(composition: Composition, submit: (other: boolean) => void): readonly KeyBinding[] {
  const send = (view: EditorView, other = false): boolean => {
    if (!composition.ownsKey && !openSelectedFold(view)) submit(other)
    return true
  }
  const enter = (view: EditorView): boolean => {
    if (!isCoarse() || composition.ownsKey) return send(view)
    return openSelectedFold(view) || insertNewline(view)
  }
  return [
    { key: "Enter", run: enter, shift: insertNewline },
    { key: "Mod-Enter", run: (view) => send(view, true) },
  ]
}
