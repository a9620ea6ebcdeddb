import { invertedEffects } from "@codemirror/commands"
import { StateEffect, StateField, type ChangeDesc, type EditorState, type Text, type Transaction } from "@codemirror/state"
import { coverable, formOf, isCommand, maxMarks, type CommandMark, type Mark, type Tag } from "../message.ts"

/** What a mark says, apart from where it stands. The object is the mark's identity: equal chips have one each. */
export type Meaning = Tag | Omit<CommandMark, "start" | "end">

/** A mark in the document: what it says, and its range. */
export interface Held {
  readonly meaning: Meaning
  readonly start: number
  readonly end: number
}

/** A chip in the document. */
export type Chip = Held & { readonly meaning: Tag }

/** Puts a mark on text that is there, positions being those after the transaction's changes. One that does not fit is dropped. */
export const addMark = StateEffect.define<Held>({ map: (held, changes) => moved(held, changes) ?? undefined })

/** Takes a mark off its text. */
export const dropMark = StateEffect.define<Meaning>()

/** The document's marks in order, with undo and redo. */
export const marks: StateField<readonly Held[]> = StateField.define<readonly Held[]>({
  create: () => [],
  update: (held, tr) => added(tr, dropped(tr, mapped(tr, held))),
  provide: (field) => invertedEffects.of((tr) => inverse(tr, tr.startState.field(field))),
})

/** What undoes a transaction's work on marks: its positions are those before the transaction. */
function inverse(tr: Transaction, held: readonly Held[]): StateEffect<unknown>[] {
  const kept = new Set(dropped(tr, mapped(tr, held)).map((one) => one.meaning))
  const gone = held.filter((one) => !kept.has(one.meaning))
  const come = tr.effects.filter((e) => e.is(addMark)).map((e) => e.value.meaning)
  return [...come.map((meaning) => dropMark.of(meaning)), ...gone.map((one) => addMark.of(one))]
}

/** A message's marks, to begin a document with. */
export function heldOf(tags: readonly Mark[]): Held[] {
  return tags.map(({ start, end, ...meaning }) => ({ meaning, start, end }))
}

export function marksOf(state: EditorState): Mark[] {
  return state.field(marks).map(({ meaning, start, end }) => ({ ...meaning, start, end }) as Mark)
}

export function isChip(held: Held): held is Chip {
  return !isCommand(held.meaning as Mark)
}

/** A range after changes; null where they touch its inside. */
export function moved<R extends { readonly start: number; readonly end: number }>(range: R, changes: ChangeDesc): R | null {
  let touched = false
  changes.iterChangedRanges((from, to) => (touched ||= from < range.end && to > range.start), true)
  if (touched) return null
  const start = changes.mapPos(range.start, 1)
  return start === range.start ? range : { ...range, start, end: start + range.end - range.start }
}

function mapped(tr: Transaction, held: readonly Held[]): readonly Held[] {
  if (!tr.docChanged || held.length === 0) return held
  return held.flatMap((one) => moved(one, tr.changes) ?? [])
}

function dropped(tr: Transaction, held: readonly Held[]): readonly Held[] {
  const gone = tr.effects.filter((e) => e.is(dropMark)).map((e) => e.value)
  return gone.length === 0 ? held : held.filter((one) => !gone.includes(one.meaning))
}

function added(tr: Transaction, held: readonly Held[]): readonly Held[] {
  let all = held
  for (const effect of tr.effects) {
    if (!effect.is(addMark) || !fits(effect.value, all, tr.newDoc)) continue
    all = [...all, effect.value].sort((a, b) => a.start - b.start)
  }
  return all
}

function fits(held: Held, others: readonly Held[], doc: Text): boolean {
  if (others.length >= maxMarks || held.end > doc.length) return false
  const text = doc.sliceString(held.start, held.end)
  const form = isChip(held) ? formOf(held.meaning) : (held.meaning as CommandMark).text
  if (text !== form || !coverable(text)) return false
  return !others.some((other) => isChip(other) === isChip(held) && other.start < held.end && other.end > held.start)
}
