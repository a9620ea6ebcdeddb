import { invertedEffects } from "@codemirror/commands"
import { StateEffect, StateField, Transaction, type EditorState, type Extension } from "@codemirror/state"
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view"
import type { Words } from "../words.ts"
import { atoms } from "./atoms.ts"
import { moved } from "./marks.ts"

/** A long paste. Its text is in the document; folded, one line stands for it. */
export interface Fold {
  readonly start: number
  readonly end: number
  readonly open: boolean
}

/** Folds a range, positions being those after the transaction's changes. */
export const addFold = StateEffect.define<Fold>({ map: (fold, changes) => moved(fold, changes) ?? undefined })

/** Opens or closes the fold that begins at the position. */
const toggleFold = StateEffect.define<number>({ map: (start, changes) => changes.mapPos(start, 1) })

/** The document's folds in order. An open one stretches with what is edited in it; one that is closed is never edited inside by a person. */
export const folds: StateField<readonly Fold[]> = StateField.define<readonly Fold[]>({
  create: () => [],
  update(all, tr) {
    let next = tr.docChanged ? all.flatMap((fold) => movedFold(fold, tr) ?? []) : all
    for (const effect of tr.effects) {
      if (effect.is(addFold)) next = [...next.filter((fold) => !overlap(fold, effect.value)), effect.value].sort((a, b) => a.start - b.start)
      else if (effect.is(toggleFold)) next = next.map((fold) => (fold.start === effect.value ? { ...fold, open: !fold.open } : fold))
    }
    return next
  },
  provide: (field) => invertedEffects.of((tr) => {
    const gone = tr.docChanged ? tr.startState.field(field).filter((fold) => !movedFold(fold, tr)) : []
    return gone.map((fold) => addFold.of(fold))
  }),
})

function overlap(a: Fold, b: Fold): boolean {
  return a.start < b.end && b.start < a.end
}

function movedFold(fold: Fold, tr: Transaction): Fold | null {
  if (!fold.open) return moved(fold, tr.changes)
  const start = tr.changes.mapPos(fold.start, -1) // the caret there is behind the fold's line
  const end = tr.changes.mapPos(fold.end, -1)
  return start < end ? { ...fold, start, end } : null
}

/** The closed folds. */
export function closed(state: EditorState): readonly Fold[] {
  return state.field(folds).filter((fold) => !fold.open)
}

/** Opens the fold that is selected and nothing beside it. */
export function openSelectedFold(view: EditorView): boolean {
  const { from, to } = view.state.selection.main
  const fold = closed(view.state).find((one) => one.start === from && one.end === to)
  if (fold) toggle(view, fold)
  return fold !== undefined
}

function toggle(view: EditorView, fold: Fold): void {
  view.dispatch({
    effects: toggleFold.of(fold.start),
    selection: { anchor: fold.open ? fold.end : fold.start },
    annotations: Transaction.addToHistory.of(false),
    scrollIntoView: true,
  })
  view.focus()
}

/** Draws folds. A closed one counts as one character for keys and for the pointer. */
export function folding(words: Words): Extension {
  const drawn = EditorView.decorations.compute([folds], (state): DecorationSet =>
    Decoration.set(state.field(folds).map((fold) => {
      const widget = new FoldWidget(fold.open, state.doc.lineAt(fold.end).number - state.doc.lineAt(fold.start).number + 1, words)
      return fold.open ? Decoration.widget({ widget, side: -1 }).range(fold.start) : Decoration.replace({ widget }).range(fold.start, fold.end)
    })))
  return [folds, drawn, atoms(folds, closed)]
}

class FoldWidget extends WidgetType {
  constructor(readonly open: boolean, readonly lines: number, readonly words: Words) {
    super()
  }

  override eq(other: FoldWidget): boolean {
    return other.open === this.open && other.lines === this.lines
  }

  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement("button")
    button.type = "button"
    button.tabIndex = -1 // Tab leaves the message box; Enter opens what is selected
    button.className = "pasted"
    button.dataset["open"] = String(this.open)
    button.title = this.words.t(this.open ? "pasted.hide" : "pasted.show")
    button.textContent = this.words.count("pasted", this.lines)
    button.addEventListener("mousedown", (event) => event.preventDefault())
    button.addEventListener("click", () => {
      const start = view.posAtDOM(button)
      const fold = view.state.field(folds).find((one) => one.start === start)
      if (fold) toggle(view, fold)
    })
    return button
  }

  override ignoreEvent(): boolean {
    return true
  }
}
