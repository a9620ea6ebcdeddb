import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyDraft, type Draft } from "../message.ts"
import { Restorer, stemsFrom, type Box } from "./restore.ts"
import { submitted, type Submission } from "./submission.ts"

class TestBox implements Box {
  draft: Draft = emptyDraft
  composing = false
  sets = 0
  get = (): Draft => this.draft
  isEmpty = (): boolean => this.draft.text === ""
  isComposing = (): boolean => this.composing
  set(draft: Draft): void {
    this.sets++
    this.draft = draft
  }
}

const chip = (start: number): Draft["tags"] => [{ id: "x", serialized: "@x", start, end: start + 2 }]
const one = submitted("1", { text: "one @x", tags: chip(4) }, 0, "transcript")
const two = submitted("2", { text: "two", tags: [] }, 1, "transcript")
const three = submitted("3", { text: "😀 @x", tags: chip(3) }, 2, "transcript")

function restorer(): { box: TestBox; restorer: Restorer; type(text: string): void } {
  const box = new TestBox()
  const r = new Restorer(box)
  const type = (text: string): void => {
    box.draft = { text, tags: [] }
    r.typed()
  }
  return { box, restorer: r, type }
}

test("what fails out of order comes back in the order of submission, with its chips", () => {
  const { box, restorer: r } = restorer()
  for (const s of [three, one, two]) assert.ok(r.failed(s))
  assert.equal(box.draft.text, "one @x\n\ntwo\n\n😀 @x")
  assert.deepEqual(box.draft.tags.map((tag) => [tag.start, box.draft.text.slice(tag.start, tag.end)]), [[4, "@x"], [16, "@x"]])
  assert.deepEqual(r.holds, ["1", "2", "3"])
})

test("nothing is put back twice, or over what the person wrote", () => {
  const { box, restorer: r, type } = restorer()
  assert.ok(r.failed(one))
  assert.ok(!r.failed(one))
  type("one @x and more")
  assert.ok(!r.failed(two))
  assert.equal(box.draft.text, "one @x and more")
  type("one @x")
  assert.ok(!r.failed(two), "typing it back does not make it ours again")
  type("")
  assert.ok(r.failed(two), "an emptied composer begins anew")
  assert.equal(box.draft.text, "two")
})

test("nothing is put into a box that is not empty, or where an input method composes", () => {
  const { box, restorer: r, type } = restorer()
  type("a draft")
  assert.ok(!r.failed(one))
  type("")
  box.composing = true
  assert.ok(!r.failed(two))
  assert.equal(box.sets, 0)
})

test("a message that reached the server after all is taken out again, if it was not touched", () => {
  const { box, restorer: r, type } = restorer()
  for (const s of [one, two]) r.failed(s)
  r.withdraw(one)
  assert.equal(box.draft.text, "two")
  r.withdraw(one)
  assert.equal(box.draft.text, "two")
  type("two!")
  r.withdraw(two)
  assert.equal(box.draft.text, "two!")
  r.edit(two)
  assert.equal(box.draft.text, "two!", "it is there already")
})

test("what an input method composes in is the person's", () => {
  const { box, restorer: r } = restorer()
  r.failed(one)
  box.composing = true
  r.withdraw(one)
  box.composing = false
  assert.equal(box.draft.text, "one @x")
  assert.ok(!r.failed(two))
})

test("the last one taken out leaves the box empty", () => {
  const { box, restorer: r } = restorer()
  r.failed(one)
  r.withdraw(one)
  assert.deepEqual(box.draft, emptyDraft)
  assert.ok(r.failed(one), "it may fail again")
  assert.equal(box.draft.text, "one @x")
})

test("editing comes after what is there, once", () => {
  const { box, restorer: r, type } = restorer()
  type("mine")
  r.edit(one)
  assert.deepEqual(box.draft, { text: "mine\n\none @x", tags: chip(10) })
  r.edit(one)
  assert.equal(box.draft.text, "mine\n\none @x")
})

test("editing what was put back already only makes it the person's", () => {
  const { box, restorer: r } = restorer()
  r.failed(one)
  r.edit(one)
  assert.equal(box.draft.text, "one @x")
  assert.ok(!r.failed(two))
})

test("editing brings back what the person had deleted from the box", () => {
  const { box, restorer: r, type } = restorer()
  r.failed(one)
  type("something else")
  r.edit(one)
  assert.equal(box.draft.text, "something else\n\none @x")
})

const orders = (list: readonly Submission[]): number[] => list.map((s) => s.order)

test("what is sent from the box tells which messages it came from", () => {
  const untouched = restorer()
  for (const s of [one, two]) untouched.restorer.failed(s)
  assert.deepEqual(orders(untouched.restorer.sent("one @x\n\ntwo")), [0, 1])
  assert.deepEqual(orders(untouched.restorer.sent("one @x\n\ntwo")), [], "once")

  const changed = restorer()
  for (const s of [one, two]) changed.restorer.failed(s)
  changed.type("one @x!")
  assert.deepEqual(orders(changed.restorer.sent("one @x!")), [0], "the other one was deleted: its row stays")

  const replaced = restorer()
  replaced.restorer.failed(one)
  replaced.type("nothing like it")
  assert.deepEqual(orders(replaced.restorer.sent("nothing like it")), [])
})

test("a text stems from another where half of that is left", () => {
  for (const [text, original, want] of [
    ["hello world", "hello world", true],
    ["oh, hello world!", "hello world", true],
    ["helo world", "hello world", true],
    ["hello wrld", "hello world", true],
    ["good bye", "hello world", false],
    ["", "x", false],
    ["x", "x", true],
  ] as const) {
    assert.equal(stemsFrom(text, original), want, `${text} from ${original}`)
  }
})

test("what failed on an earlier page is known again in its draft", () => {
  const { box, restorer: r, type } = restorer()
  box.draft = { text: "one @x\n\ntwo", tags: chip(4) }
  r.resumed([one, two, three])
  assert.deepEqual(r.holds, ["1", "2"])
  r.withdraw(one)
  assert.equal(box.draft.text, "two", "nobody has touched it")
  type("two, and more")
  r.edit(two)
  assert.equal(box.draft.text, "two, and more", "it is there already")
  r.edit(three)
  assert.equal(box.draft.text, "two, and more\n\n😀 @x")
})

test("a draft that only resembles what failed is the person's own", () => {
  const { box, restorer: r } = restorer()
  box.draft = { text: "not two", tags: [] }
  r.resumed([two])
  assert.deepEqual(r.holds, [])
  r.edit(two)
  assert.equal(box.draft.text, "not two\n\ntwo")
})
