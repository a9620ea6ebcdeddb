import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Announcer } from "./announce.ts"
import { Speech } from "./speech.ts"

test("whole sentences, nothing twice", () => {
  const s = new Speech()
  s.rest = "One. Two is no"
  assert.equal(s.take(), "One.")
  assert.equal(s.take(), "")
  s.rest = "One. Two is not done. Three"
  assert.equal(s.take(), "Two is not done.")
  s.finish("One. Two is not done. Three is.\n")
  s.rest = "And"
  assert.equal(s.take(), "Three is.")
  assert.equal(s.take(), "")
  s.close("One. Two is not done. Three is.\nAnd the end")
  assert.equal(s.take(true), "And the end")
  assert.equal(s.take(true), "")
})

test("Chinese needs no spaces, numbers are no sentences", () => {
  const s = new Speech()
  s.rest = "第一句。第二句还没"
  assert.equal(s.take(), "第一句。")
  const n = new Speech()
  n.rest = "It is 3.14 and"
  assert.equal(n.take(), "")
})

test("appended text", () => {
  const s = new Speech()
  s.append("a line\nand ")
  assert.equal(s.take(), "a line")
  s.append("more\n")
  assert.equal(s.take(), "and more")
})

test("what is said at once is bounded, also without any end", () => {
  const s = new Speech()
  s.rest = "word ".repeat(1000)
  const said = s.take()
  assert.ok(said.length > 400 && said.length <= 502, String(said.length))
  const fast = new Speech()
  fast.rest = "A sentence. ".repeat(1000)
  const end = fast.take()
  assert.ok(end.length <= 502 && end.startsWith("… ") && end.endsWith("sentence."), end)
  assert.equal(fast.take(), "")
  const solid = new Speech()
  solid.rest = "x".repeat(2000)
  assert.equal(solid.take().length, 500)
})

test("a text that became shorter is no trouble", () => {
  const s = new Speech()
  s.rest = "**bold. next"
  s.take()
  s.rest = "b"
  assert.equal(s.take(true), "")
  s.finish("")
  assert.equal(s.take(true), "")
})

class Region {
  said: string[] = []
  #text = ""
  get textContent(): string {
    return this.#text
  }
  set textContent(text: string) {
    this.#text = text
    if (text !== "") this.said.push(text)
  }
}

test("announcements keep a second between them, in order, urgent ones at once", () => {
  const clock = new TestClock()
  const region = new Region()
  const announcer = new Announcer(region, clock)
  announcer.say("one")
  announcer.say("two")
  announcer.say("three")
  assert.deepEqual(region.said, ["one"])
  clock.pass(999)
  assert.deepEqual(region.said, ["one"])
  clock.pass(1)
  assert.deepEqual(region.said, ["one", "two"])
  announcer.urgent("now")
  assert.deepEqual(region.said, ["one", "two", "now"])
  clock.pass(1_000)
  assert.deepEqual(region.said, ["one", "two", "now", "three"])
  clock.pass(60_000)
  assert.equal(region.textContent, "")
  assert.equal(clock.waiting, 0)
})

test("the same words twice are two announcements", () => {
  const clock = new TestClock()
  const region = new Region()
  const announcer = new Announcer(region, clock)
  announcer.say("same")
  announcer.say("same")
  clock.pass(2_000)
  assert.equal(region.said.length, 2)
  assert.notEqual(region.said[0], region.said[1])
})

test("too many announcements leave the older ones out", () => {
  const clock = new TestClock()
  const region = new Region()
  const announcer = new Announcer(region, clock)
  for (let i = 0; i < 100; i++) announcer.say(String(i))
  clock.pass(60_000)
  assert.ok(region.said.length < 10)
  assert.equal(region.said.at(-1), "99")
})
