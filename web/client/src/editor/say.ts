import { StateEffect, type Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"

/** Says something to assistive technology, politely: what happened to something that is seen only. */
export const say = StateEffect.define<string>()

/** Hands on what is said. */
export function saying(announce: (text: string) => void): Extension {
  return EditorView.updateListener.of(({ transactions }) => {
    for (const { effects } of transactions) for (const effect of effects) if (effect.is(say)) announce(effect.value)
  })
}
