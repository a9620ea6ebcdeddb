import assert from "node:assert/strict"
import { before, test } from "node:test"
import { Composition } from "./composition.ts"

let vendor = ""
before(() => Object.defineProperty(globalThis, "navigator", { configurable: true, value: { get vendor() { return vendor } } }))

class Box extends EventTarget {
  readonly composition = new Composition(this as unknown as HTMLElement)

  /** Reports an event; returns whether the key was the input method's. */
  tell(type: string, members: Record<string, unknown> = {}): boolean {
    this.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), members))
    return this.composition.ownsKey
  }
}

const enter = { key: "Enter", keyCode: 13, isComposing: false }
const process = { key: "Process", keyCode: 229, isComposing: false }

test("a key during a composition is the input method's", () => {
  const box = new Box()
  assert.equal(box.tell("keydown", enter), false)
  box.tell("keyup")
  box.tell("compositionstart")
  assert.equal(box.tell("keydown", enter), true)
  box.tell("compositionend")
  box.tell("keyup")
  assert.equal(box.tell("keydown", enter), false)
})

test("so is one that the browser marks", () => {
  assert.equal(new Box().tell("keydown", process), true)
  assert.equal(new Box().tell("keydown", { ...enter, isComposing: true }), true)
})

test("an Enter reported in the same task after the end is the one that ended it", async () => {
  const box = new Box()
  box.tell("compositionstart")
  box.tell("compositionend")
  assert.equal(box.tell("keydown", enter), true)
  box.tell("keyup")
  assert.equal(box.tell("keydown", enter), false)
  box.tell("keyup")

  box.tell("compositionstart")
  box.tell("compositionend")
  await Promise.resolve()
  assert.equal(box.tell("keydown", enter), false, "a later one is a key of its own")
})

test("WebKit may report it in a task of its own", async () => {
  vendor = "Apple Computer, Inc."
  const box = new Box()
  box.tell("compositionstart")
  box.tell("compositionend")
  await new Promise(setImmediate)
  assert.equal(box.tell("keydown", enter), true)
  box.tell("keyup")
  box.tell("compositionstart")
  box.tell("compositionend")
  box.tell("keyup")
  assert.equal(box.tell("keydown", enter), false, "the key is over")
  vendor = ""
})

test("an Enter of its own after a composition that a key ended counts", () => {
  const box = new Box()
  box.tell("compositionstart")
  assert.equal(box.tell("keydown", process), true)
  box.tell("compositionend")
  assert.equal(box.tell("keydown", enter), false)
})

test("what waits for the end gets its turn after the last text has come", async () => {
  const box = new Box()
  const order: string[] = []
  box.composition.whenIdle(() => order.push("at once"))
  box.tell("compositionstart")
  box.composition.whenIdle(() => order.push("idle"))
  box.tell("compositionend")
  box.tell("compositionstart")
  await new Promise((done) => setTimeout(done))
  assert.deepEqual(order, ["at once"], "another composition has begun")
  box.tell("compositionend")
  order.push("end")
  await new Promise((done) => setTimeout(done))
  assert.deepEqual(order, ["at once", "end", "idle"])
})
