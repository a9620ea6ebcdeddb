import assert from "node:assert/strict"
import { test } from "node:test"
import { history, isolateHistory, redo, undo } from "@codemirror/commands"
import { EditorState, type TransactionSpec } from "@codemirror/state"
import { maxMarks, type InlineTag, type Mark } from "../message.ts"
import { addMark, heldOf, marks, marksOf } from "./marks.ts"

/** A document without a view. */
class Doc {
  state: EditorState

  constructor(text: string, tags: Mark[] = []) {
    this.state = EditorState.create({ doc: text, extensions: [history(), marks.init(() => heldOf(tags)), EditorState.lineSeparator.of("\n")] })
  }

  do(spec: TransactionSpec): this {
    this.state = this.state.update({ annotations: isolateHistory.of("full"), ...spec }).state
    return this
  }

  undo(): this {
    undo({ state: this.state, dispatch: (tr) => (this.state = tr.state) })
    return this
  }

  redo(): this {
    redo({ state: this.state, dispatch: (tr) => (this.state = tr.state) })
    return this
  }

  get text(): string {
    return this.state.doc.toString()
  }

  get marks(): Mark[] {
    return marksOf(this.state)
  }
}

const chip = (start: number, end: number, id = "c"): InlineTag => ({ id, kind: "file", label: "L", serialized: "@x", start, end })

test("typing at both edges stays outside", () => {
  const doc = new Doc("@x", [chip(0, 2)]).do({ changes: { from: 0, insert: "a" } }).do({ changes: { from: 3, insert: "b" } })
  assert.equal(doc.text, "a@xb")
  assert.deepEqual(doc.marks, [chip(1, 3)])
})

test("an edit inside drops the chip, undo and redo know of it", () => {
  const doc = new Doc("a @x b", [chip(2, 4)]).do({ changes: { from: 3, insert: "!" } })
  assert.deepEqual(doc.marks, [])
  assert.deepEqual(doc.undo().marks, [chip(2, 4)])
  assert.deepEqual(doc.redo().marks, [])
  assert.equal(doc.text, "a @!x b")
})

test("deleting a chip is undone with all that it says, wherever it then stands", () => {
  const doc = new Doc("a @x b", [chip(2, 4)]).do({ changes: { from: 2, to: 4 } })
  assert.deepEqual(doc.marks, [])
  doc.do({ changes: { from: 0, insert: "😀" } }).undo().undo()
  assert.deepEqual([doc.text, doc.marks], ["a @x b", [chip(2, 4)]])
  doc.redo().redo()
  assert.deepEqual([doc.text, doc.marks], ["😀a  b", []])
})

test("of two equal chips one goes and the other stays", () => {
  const doc = new Doc("@x @x", [chip(0, 2), chip(3, 5)]).do({ changes: { from: 0, to: 2 } })
  assert.deepEqual(doc.marks, [chip(1, 3)])
  assert.deepEqual(doc.undo().marks, [chip(0, 2), chip(3, 5)])
})

test("an inserted chip comes and goes with its text", () => {
  const [held] = heldOf([chip(1, 3)])
  const doc = new Doc("ab").do({ changes: { from: 1, insert: "@x" }, effects: addMark.of(held!) })
  assert.deepEqual(doc.marks, [chip(1, 3)])
  assert.deepEqual(doc.undo().marks, [])
  assert.deepEqual(doc.redo().marks, [chip(1, 3)])
})

test("a moved chip keeps what it says through undo and redo", () => {
  const doc = new Doc("@x ab", [chip(0, 2)])
  const [held] = doc.state.field(marks)
  doc.do({ changes: [{ from: 0, to: 2 }, { from: 5, insert: "@x" }], effects: addMark.of({ ...held!, start: 3, end: 5 }) })
  assert.deepEqual([doc.text, doc.marks], [" ab@x", [chip(3, 5)]])
  assert.deepEqual(doc.undo().marks, [chip(0, 2)])
  assert.deepEqual(doc.redo().marks, [chip(3, 5)])
})

test("a mark on text that is there goes with undo, the text stays", () => {
  const [held] = heldOf([chip(0, 2)])
  const doc = new Doc("@x").do({ effects: addMark.of(held!) })
  assert.deepEqual(doc.marks, [chip(0, 2)])
  assert.deepEqual([doc.undo().marks, doc.text], [[], "@x"])
  assert.deepEqual(doc.redo().marks, [chip(0, 2)])
})

test("a mark that does not fit its text is dropped", () => {
  for (const bad of [chip(0, 3), chip(1, 3), chip(0, 2000), { ...chip(0, 2), serialized: "@y" }]) {
    assert.deepEqual(new Doc("@x a").do({ effects: addMark.of(heldOf([bad])[0]!) }).marks, [])
  }
  assert.deepEqual(new Doc("@x", [chip(0, 2)]).do({ effects: addMark.of(heldOf([chip(0, 2, "other")])[0]!) }).marks, [chip(0, 2)])
})

test("a command is held beside the chips, and goes when its text changes", () => {
  const command: Mark = { type: "command", text: "/go", command: { name: "go" }, start: 0, end: 3 }
  const doc = new Doc("/go @x", [chip(4, 6)]).do({ effects: addMark.of(heldOf([command])[0]!) })
  assert.deepEqual(doc.marks, [command, chip(4, 6)])
  assert.deepEqual(doc.do({ changes: { from: 0, insert: " " } }).marks, [{ ...command, start: 1, end: 4 }, chip(5, 7)])
  assert.deepEqual(doc.do({ changes: { from: 3, to: 4 } }).marks, [chip(4, 6)])
})

test("there are no more marks than a message can have", () => {
  const text = "@x ".repeat(maxMarks + 1)
  const doc = new Doc(text, Array.from({ length: maxMarks }, (_, i) => chip(3 * i, 3 * i + 2)))
  doc.do({ effects: addMark.of(heldOf([chip(3 * maxMarks, 3 * maxMarks + 2)])[0]!) })
  assert.equal(doc.marks.length, maxMarks)
})
