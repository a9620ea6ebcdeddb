import { type EditorState, type Extension, type StateField } from "@codemirror/state"
import { Decoration, EditorView } from "@codemirror/view"

interface Range {
  readonly start: number
  readonly end: number
}

/** Makes ranges of a field count as one character each, for keys and for the pointer, and marks those that are selected. */
export function atoms(field: StateField<unknown>, ranges: (state: EditorState) => readonly Range[]): Extension {
  const whole = Decoration.mark({})
  // The browser draws a selection on text alone, and what stands for an atom is none.
  const selected = Decoration.mark({ class: "selected", inclusive: true }) // or it would begin behind what stands for the range
  return [
    EditorView.atomicRanges.of(({ state }) => Decoration.set(ranges(state).map((one) => whole.range(one.start, one.end)))),
    EditorView.decorations.compute([field, "selection"], (state) => {
      const { from, to } = state.selection.main
      if (from === to) return Decoration.none
      return Decoration.set(ranges(state).filter((one) => one.start >= from && one.end <= to).map((one) => selected.range(one.start, one.end)))
    }),
  ]
}
