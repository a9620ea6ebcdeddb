import { EditorSelection } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import { offsetBehindLF } from "./newline.ts"

/** Puts the view in the textarea's place: with its caret, focus and scroll. The textarea stays in the form, unseen. Returns what puts it back. */
export function takeOver(textarea: HTMLTextAreaElement, view: EditorView): () => void {
  const { id, selectionStart, selectionEnd, selectionDirection, scrollTop } = textarea
  const focused = document.activeElement === textarea
  const text = view.state.doc.toString()
  const ends = [selectionStart, selectionEnd].map((at) => offsetBehindLF(text, at)) as [number, number]
  if (selectionDirection === "backward") ends.reverse()
  // One element has the id at a time: links to the message box lead to it.
  textarea.removeAttribute("id")
  textarea.after(view.dom)
  view.dispatch({ selection: EditorSelection.single(...ends) })
  if (focused) view.focus() // before the textarea goes, so that a keyboard on the screen stays
  textarea.hidden = true
  // Heights are known once lines have been measured, which is before they are painted.
  view.requestMeasure({ read: () => null, write: () => (view.scrollDOM.scrollTop = scrollTop) })
  return () => {
    view.dom.remove()
    textarea.id = id
    textarea.hidden = false
    textarea.value = view.state.doc.toString()
  }
}
