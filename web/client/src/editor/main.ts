import type { Editor, RichOptions } from "./editor.ts"
import { RichEditor } from "./rich.ts"

export { menus, type MenuOptions } from "../menu/index.ts"
export type { Editor, EditorHost, RichOptions } from "./editor.ts"

/** Puts the rich message box in the textarea's place: with what is in it, its caret, focus and scroll. */
export function createRichEditor(textarea: HTMLTextAreaElement, options: RichOptions): Editor {
  return new RichEditor(textarea, options)
}
