import assert from "node:assert/strict"
import { test } from "node:test"
import { history, isolateHistory, undo } from "@codemirror/commands"
import { EditorSelection, EditorState, type TransactionSpec } from "@codemirror/state"
import type { InlineTag } from "../message.ts"
import { Words } from "../words.ts"
import { addFold, closed, folds } from "./folds.ts"
import { around, guard } from "./guard.ts"
import { insertion } from "./insert.ts"
import { maxLines } from "./long.ts"
import { heldOf, marks, marksOf } from "./marks.ts"

const fixed = (start: number, end: number): InlineTag => ({ id: "f", serialized: "@f", removable: false, start, end })

function open(text: string, tags: InlineTag[], anchor: number, head = anchor): EditorState {
  return EditorState.create({
    doc: text,
    selection: EditorSelection.single(anchor, head),
    extensions: [history(), marks.init(() => heldOf(tags)), folds, guard(new Words({ "chip.fixed": "%s stays" }))],
  })
}

function after(state: EditorState, spec: TransactionSpec): [text: string, anchor: number, head: number] {
  const next = state.update(spec).state
  return [next.doc.toString(), next.selection.main.anchor, next.selection.main.head]
}

test("Backspace and Delete step over a chip that stays", () => {
  assert.deepEqual(after(open("a@fb", [fixed(1, 3)], 3), { changes: { from: 1, to: 3 }, userEvent: "delete.backward" }), ["a@fb", 1, 1])
  assert.deepEqual(after(open("a@fb", [fixed(1, 3)], 1), { changes: { from: 1, to: 3 }, userEvent: "delete.forward" }), ["a@fb", 3, 3])
})

test("deleting all leaves it, and typing over all goes behind it", () => {
  const state = open("one @f two", [fixed(4, 6)], 0, 10)
  assert.deepEqual(after(state, { changes: { from: 0, to: 10 }, userEvent: "delete.selection" }), ["@f", 2, 2])
  const typed = state.update({ changes: { from: 0, to: 10, insert: "x" }, userEvent: "input.type" }).state
  assert.equal(typed.doc.toString(), "@fx")
  assert.equal(typed.selection.main.head, 3)
  assert.deepEqual(marksOf(typed), [fixed(0, 2)])
})

test("a paste over all goes behind it too, with its own chips", () => {
  const state = open("@f two", [fixed(0, 2)], 0, 6)
  const pasted = state.update(insertion(state, 0, 6, { text: "a @c", tags: [{ id: "c", serialized: "@c", start: 2, end: 4 }] }, "input.paste")).state
  assert.equal(pasted.doc.toString(), "@fa @c")
  assert.deepEqual(marksOf(pasted), [fixed(0, 2), { id: "c", serialized: "@c", start: 4, end: 6 }])
  assert.equal(pasted.selection.main.head, 6)
})

test("undo is not held up", () => {
  let state = open("", [], 0)
  state = state.update(insertion(state, 0, 0, { text: "@f", tags: [fixed(0, 2)] }, "input.paste")).state
  assert.deepEqual(marksOf(state), [fixed(0, 2)])
  undo({ state, dispatch: (tr) => (state = tr.state) })
  assert.equal(state.doc.toString(), "")
})

test("what can be deleted around chips", () => {
  const chips = [{ start: 2, end: 4 }, { start: 4, end: 6 }, { start: 9, end: 12 }]
  assert.deepEqual(around(0, 10, chips), { deletions: [{ from: 0, to: 2 }, { from: 6, to: 9 }], start: 0, end: 12 })
  assert.deepEqual(around(4, 6, chips), { deletions: [], start: 4, end: 6 })
  assert.deepEqual(around(6, 9, chips), { deletions: [{ from: 6, to: 9 }], start: 6, end: 9 })
  assert.deepEqual(around(5, 5, []), { deletions: [], start: 5, end: 5 })
})

const long = "x\n".repeat(maxLines) + "end"

test("a key beside a folded paste selects it", () => {
  const plain = open("a  b", [], 2)
  const state = plain.update(insertion(plain, 2, 2, { text: long, tags: [] }, "input.paste")).state
  const fold = { start: 2, end: 2 + long.length }
  assert.deepEqual(closed(state), [{ ...fold, open: false }])
  const [text, anchor, head] = after(state, { changes: { from: fold.start, to: fold.end }, userEvent: "delete.backward" })
  assert.deepEqual([text, anchor, head], ["a " + long + " b", fold.end, fold.start])
  const selected = state.update({ selection: { anchor, head } }).state
  assert.equal(after(selected, { changes: { from: fold.start, to: fold.end }, userEvent: "delete.selection" })[0], "a  b")
})

test("a fold moves with its text, and comes back with it", () => {
  let state = open("", [], 0)
  state = state.update(insertion(state, 0, 0, { text: long, tags: [] }, "input.paste")).state
  state = state.update({ changes: { from: 0, insert: "ab" }, userEvent: "input.type" }).state
  assert.deepEqual(closed(state), [{ start: 2, end: 2 + long.length, open: false }])
  state = state.update({ changes: { from: 0, to: state.doc.length }, selection: { anchor: 0 }, annotations: isolateHistory.of("full") }).state
  assert.deepEqual(state.field(folds), [])
  undo({ state, dispatch: (tr) => (state = tr.state) })
  assert.deepEqual(closed(state), [{ start: 2, end: 2 + long.length, open: false }])
})

test("an open fold stretches with what is edited in it, a closed one opens for good", () => {
  const fold = { start: 1, end: 4 }
  let state = open("abcde", [], 0).update({ effects: addFold.of({ ...fold, open: true }) }).state
  state = state.update({ changes: { from: 2, insert: "xx" } }).state
  assert.deepEqual(state.field(folds), [{ start: 1, end: 6, open: true }])
  state = state.update({ effects: addFold.of({ start: 1, end: 6, open: false }) }).state
  state = state.update({ changes: { from: 2, insert: "y" } }).state
  assert.deepEqual(state.field(folds), [])
})
