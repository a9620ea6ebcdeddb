import { EditorView } from "@codemirror/view"

/** The text that leads to the caret. */
export interface Before {
  text: string
  /** Where it begins in the document. */
  from: number
  /** It begins where its line does, or right after a chip. */
  whole: boolean
  /** It begins where the document does. */
  first: boolean
}

/**
 * The text on the caret's line before the caret, at most limit units of it, and
 * nothing of a chip or what is before one. null where text is selected, or the
 * caret is inside a chip.
 */
export function beforeCaret(view: EditorView, limit: number): Before | null {
  const { main, ranges } = view.state.selection
  if (ranges.length > 1 || !main.empty) return null
  const line = view.state.doc.lineAt(main.head)
  let begin = line.from
  let inside = false
  for (const atoms of view.state.facet(EditorView.atomicRanges)) {
    atoms(view).between(line.from, main.head, (from, to) => {
      if (from < main.head && to > main.head) inside = true
      begin = Math.max(begin, Math.min(to, main.head))
    })
  }
  if (inside) return null
  const from = Math.max(begin, main.head - limit)
  return { text: view.state.sliceDoc(from, main.head), from, whole: from === begin, first: from === 0 }
}
