import { isolateHistory } from "@codemirror/commands"
import { EditorSelection, EditorState, Transaction, type Annotation, type ChangeSpec, type Extension, type TransactionSpec } from "@codemirror/state"
import { formOf } from "../message.ts"
import type { Words } from "../words.ts"
import { closed } from "./folds.ts"
import { isChip, marks, type Chip } from "./marks.ts"
import { say } from "./say.ts"

/**
 * Keeps a key from doing more harm than the person can see. A key that would
 * delete a folded paste selects it; the next one deletes it. A chip that a host
 * put there (`removable: false`) stays: deletion steps over it, and what
 * replaces a selection goes behind it. Undo and redo are not held up.
 */
export function guard(words: Words): Extension {
  return EditorState.transactionFilter.of((tr) => {
    if (!tr.docChanged) return tr
    return selectingFold(tr) ?? sparingChips(tr, words) ?? tr
  })
}

function selectingFold(tr: Transaction): TransactionSpec | null {
  const state = tr.startState
  const { main } = state.selection
  if (!tr.isUserEvent("delete") || !main.empty) return null
  const fold = closed(state).find((one) => touches(tr, one.start, one.end))
  if (!fold) return null
  const range = main.head <= fold.start ? EditorSelection.range(fold.start, fold.end) : EditorSelection.range(fold.end, fold.start)
  return { selection: EditorSelection.create([range]), scrollIntoView: true, userEvent: "select" }
}

function sparingChips(tr: Transaction, words: Words): TransactionSpec | null {
  const spared = fixedChips(tr.startState).filter((held) => touches(tr, held.start, held.end))
  if (spared.length === 0) return null
  const changes: ChangeSpec[] = []
  let caret = 0
  tr.changes.iterChanges((from, to, _newFrom, _newTo, insert) => {
    const pieces = around(from, to, spared)
    changes.push(...pieces.deletions, { from: pieces.end, insert })
    caret = tr.isUserEvent("delete.backward") ? pieces.start : pieces.end
  })
  const kept = tr.startState.changes(changes)
  const side = tr.isUserEvent("delete.backward") ? -1 : 1
  const said = say.of(words.t("chip.fixed", spared.map((held) => formOf(held.meaning)).join(", ")))
  return {
    changes: kept,
    selection: { anchor: kept.mapPos(caret, side) },
    effects: said,
    annotations: copied(tr),
    scrollIntoView: true,
  }
}

function touches(tr: Transaction, start: number, end: number): boolean {
  let found = false
  tr.changes.iterChangedRanges((from, to) => (found ||= from < end && to > start), true)
  return found
}

/** The chips that a host wants kept. */
export function fixedChips(state: EditorState): Chip[] {
  return state.field(marks).filter(isChip).filter((held) => held.meaning.removable === false)
}

/** What of from..to can be deleted around chips that stay, and where the rest begins and ends. */
export function around(from: number, to: number, spared: readonly { start: number; end: number }[]): { deletions: { from: number; to: number }[]; start: number; end: number } {
  const deletions: { from: number; to: number }[] = []
  let [at, start, end] = [from, from, to]
  for (const chip of spared) {
    if (chip.start >= to || chip.end <= from) continue
    if (at < chip.start) deletions.push({ from: at, to: chip.start })
    start = Math.min(start, chip.start)
    at = end = Math.max(at, chip.end)
  }
  if (at < to) deletions.push({ from: at, to })
  return { deletions, start, end: Math.max(end, to) }
}

function copied(tr: Transaction): Annotation<unknown>[] {
  const event = tr.annotation(Transaction.userEvent)
  const isolate = tr.annotation(isolateHistory)
  return [...(event ? [Transaction.userEvent.of(event)] : []), ...(isolate ? [isolateHistory.of(isolate)] : [])]
}
