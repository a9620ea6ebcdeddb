import { StateEffect, StateField, type Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"

/** Swallows one space typed at the position, if it is the next thing that is done. */
export const swallowSpaceAt = StateEffect.define<number>()

const place = StateField.define<number | null>({
  create: () => null,
  update(value, tr) {
    for (const effect of tr.effects) if (effect.is(swallowSpaceAt)) return effect.value
    return tr.docChanged || tr.selection ? null : value
  },
})

const input = EditorView.inputHandler.of((view, from, to, text) => {
  if (text !== " " || from !== to || view.state.field(place) !== from) return false
  view.dispatch({ selection: { anchor: from } }) // which also ends it
  return true
})

/** A person who types on after a pick often types the space that is already there. */
export const swallowing: Extension = [place, input]
