import { isolateHistory } from "@codemirror/commands"
import { EditorSelection, type EditorState, type TransactionSpec } from "@codemirror/state"
import type { Draft } from "../message.ts"
import { addFold } from "./folds.ts"
import { around, fixedChips } from "./guard.ts"
import { isLong } from "./long.ts"
import { addMark, heldOf, type Held } from "./marks.ts"

/**
 * Puts a piece of a message in the place of from..to, with its chips; a long one
 * is folded. Undo takes exactly this back.
 */
export function insertion(state: EditorState, from: number, to: number, piece: Draft, userEvent: string): TransactionSpec {
  const { deletions, end } = around(from, to, fixedChips(state))
  const changes = state.changes([...deletions, { from: end, insert: state.toText(piece.text) }])
  const start = changes.mapPos(end, -1)
  const long = isLong(piece.text)
  return {
    changes,
    selection: EditorSelection.cursor(start + piece.text.length),
    effects: [
      ...heldOf(piece.tags).map((held) => addMark.of(movedBy(held, start))),
      ...(long ? [addFold.of({ start, end: start + piece.text.length, open: false })] : []),
    ],
    annotations: isolateHistory.of("full"),
    userEvent,
    scrollIntoView: true,
  }
}

export function movedBy(held: Held, by: number): Held {
  return { ...held, start: held.start + by, end: held.end + by }
}
