import { findClusterBreak, type EditorState } from "@codemirror/state"
import { EditorView, type Command } from "@codemirror/view"

/** Deletes the selection, or the character before the caret. Indentation goes one character at a time, as in a textarea. */
export const deleteBackward: Command = (view) => deleteChar(view, false)

/** Deletes the selection, or the character after the caret. */
export const deleteForward: Command = (view) => deleteChar(view, true)

function deleteChar(view: EditorView, forward: boolean): boolean {
  const { main } = view.state.selection
  const target = main.empty ? beyondAtoms(view, nextChar(view.state, main.head, forward), forward) : main.anchor
  const [from, to] = target < main.head ? [target, main.head] : [main.head, target]
  if (from === to) return false
  view.dispatch({
    changes: { from, to },
    userEvent: main.empty ? (forward ? "delete.forward" : "delete.backward") : "delete.selection",
    scrollIntoView: true,
  })
  return true
}

/** Where the character beside a position ends: a line break, or a grapheme. Going back, an accent is a character of its own. */
function nextChar(state: EditorState, at: number, forward: boolean): number {
  const { from, to, text } = state.doc.lineAt(at)
  if (at === (forward ? to : from)) return forward ? Math.min(at + 1, state.doc.length) : Math.max(at - 1, 0)
  const next = from + findClusterBreak(text, at - from, forward, forward)
  const variation = !forward && /^[\ufe00-\ufe0f]+$/.test(text.slice(next - from, at - from))
  return variation ? from + findClusterBreak(text, next - from, false, false) : next
}

function beyondAtoms(view: EditorView, at: number, forward: boolean): number {
  let past = at
  for (const ranges of view.state.facet(EditorView.atomicRanges)) {
    ranges(view).between(at, at, (from, to) => {
      if (from < at && to > at) past = forward ? Math.max(past, to) : Math.min(past, from)
    })
  }
  return past
}
