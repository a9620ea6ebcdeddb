import { EditorView } from "@codemirror/view"

/** A drawn line with more UTF-16 units than this is typed into without the browser. */
const long = 5000

/**
 * CodeMirror lets the browser put in what is typed, then reads and compares the
 * whole line, which beside a folded paste is all of it. In such a line the text
 * goes straight into the document.
 */
export const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection
    if (event.inputType !== "insertText" || event.data === null || event.isComposing || !event.cancelable) return false
    if (view.lineBlockAt(main.head).length < long || !isSelection(event, main.empty)) return false
    type(view, event.data)
    return true
  },
})

/** Whether an input goes where the selection is: a correction of the system's may reach further. */
function isSelection(event: InputEvent, empty: boolean): boolean {
  return event.getTargetRanges().every((range) => range.collapsed === empty)
}

function type(view: EditorView, text: string): void {
  const { state } = view
  const { from, to } = state.selection.main
  const insert = () => state.update({ ...state.replaceSelection(text), userEvent: "input.type", scrollIntoView: true })
  const handled = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert))
  if (!handled) view.dispatch(insert())
}
