import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "../testclock.ts"
import { Share, type Channel } from "./share.ts"

/** A browser with tabs. */
class Tabs {
  readonly clock = new TestClock()
  readonly holding = new Set<string>()
  readonly #channels: Channel[] = []

  open(name: string): Share {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of this.#channels) if (other !== channel) other.onmessage?.({ data: structuredClone(data) })
      },
    }
    this.#channels.push(channel)
    const turn = (holds: boolean): void => void (holds ? this.holding.add(name) : this.holding.delete(name))
    const share = new Share(channel, name, turn, this.clock, () => this.clock.now())
    share.join()
    this.clock.pass(1_000)
    return share
  }

  /** The tab dies without a word. */
  crash(n: number): void {
    this.#channels[n]!.onmessage = null
    this.#channels[n]!.postMessage = () => {}
  }

  get now(): string {
    return [...this.holding].sort().join(" ")
  }
}

test("of eight tabs the three that were looked at last hold a stream", () => {
  const tabs = new Tabs()
  const all = [..."abcdefgh"].map((name) => tabs.open(name))
  assert.equal(tabs.now, "f g h")
  all[1]!.looked()
  assert.equal(tabs.now, "b g h")
  tabs.clock.pass(60_000)
  assert.equal(tabs.now, "b g h")
  all[7]!.leave()
  assert.equal(tabs.now, "b f g")
  all[7]!.join()
  assert.equal(tabs.now, "b g h")
})

test("one or two tabs share nothing", () => {
  const tabs = new Tabs()
  tabs.open("a")
  tabs.open("b")
  assert.equal(tabs.now, "a b")
})

test("a tab that died makes room", () => {
  const tabs = new Tabs()
  for (const name of "abcd") tabs.open(name)
  assert.equal(tabs.now, "b c d")
  tabs.crash(3)
  tabs.clock.pass(40_000)
  assert.ok(tabs.holding.has("a"))
})

test("tabs that were looked at in the same moment agree", () => {
  const tabs = new Tabs()
  const all = [..."abcde"].map((name) => tabs.open(name))
  for (const share of all) share.looked()
  assert.equal(tabs.now, "c d e")
})

test("words of another version are ignored", () => {
  const channel: Channel = { onmessage: null, postMessage: () => {} }
  let holds = false
  new Share(channel, "a", (now) => (holds = now), new TestClock(), () => 0).join()
  for (const data of [null, 1, {}, { kind: "here" }, { kind: "here", tab: 1, looked: 9 }, { kind: "bye" }, { kind: "odd" }]) channel.onmessage?.({ data })
  assert.ok(holds)
})
