import assert from "node:assert/strict"
import { test } from "node:test"
import { leftBehind, type TabStore } from "./leftbehind.ts"

function tab(): TabStore & { items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

const draft = { text: "see @x", tags: [{ id: "x", serialized: "@x", start: 4, end: 6 }] }

test("what was left behind is taken once, by the page it belongs to", () => {
  const store = tab()
  const left = leftBehind(() => store)
  left.keep("s", draft, true)
  assert.equal(left.take(null), null)
  assert.equal(left.take("other"), null)
  assert.deepEqual(left.take("s"), draft)
  assert.equal(left.take("s"), null)
  left.keep(null, draft, true)
  left.drop(null)
  assert.equal(left.take(null), null)
})

test("what is old is the server's to know", () => {
  const store = tab()
  let now = 0
  const left = leftBehind(() => store, () => now)
  left.keep("s", draft, true)
  now = 60_000
  assert.equal(left.take("s"), null)
  left.keep("s", draft, false)
  now += 60 * 60_000
  assert.deepEqual(left.take("s"), draft, "unless the server could not be told")
})

test("a tab that can keep nothing, or keeps something else, is none to fail at", () => {
  const broken = leftBehind(() => {
    throw new Error("SecurityError")
  })
  broken.keep("s", draft, true)
  broken.drop("s")
  assert.equal(broken.take("s"), null)
  for (const value of ["", "{", "null", "[]", `{"until":"x","text":"y"}`, `{"until":1e99,"text":5}`]) {
    const store = tab()
    store.items.set("webshell.draft.s", value)
    assert.equal(leftBehind(() => store).take("s"), null, value)
  }
})
