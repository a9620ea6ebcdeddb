import type { EditorView, KeyBinding } from "@codemirror/view"

/** What the keys of recall act on. */
export interface Recall {
  /** Whether the text is empty, or still the recalled one untouched. */
  applies(): boolean
  /** Shows the message before or after; false: there is none, stay. */
  step(direction: -1 | 1): boolean
  /** Takes the recalled message out again; false: none is shown. */
  leave(): boolean
}

/** ArrowUp and ArrowDown in the first and last line recall messages that were sent, Escape leaves them. */
export function recallKeys(recall: Recall): readonly KeyBinding[] {
  const arrow = (direction: -1 | 1) => (view: EditorView): boolean => recall.applies() && isAtEdge(view, direction) && recall.step(direction)
  return [
    { key: "ArrowUp", run: arrow(-1) },
    { key: "ArrowDown", run: arrow(1) },
    { key: "Escape", run: () => recall.leave() },
  ]
}

/** Whether the caret is in the first (-1) or last (1) line as it is drawn. */
function isAtEdge(view: EditorView, direction: -1 | 1): boolean {
  const { main } = view.state.selection
  if (!main.empty) return false
  const caret = view.coordsAtPos(main.head)
  const edge = view.coordsAtPos(direction < 0 ? 0 : view.state.doc.length)
  if (!caret || !edge) return false
  return direction < 0 ? caret.top < edge.bottom : caret.bottom > edge.top
}
