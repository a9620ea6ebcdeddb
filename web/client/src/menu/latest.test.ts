import assert from "node:assert/strict"
import { test } from "node:test"
import { Counter } from "./counter.ts"
import { Latest } from "./latest.ts"

const never = (): void => assert.fail("answered")

/** Lets timers that are due and what waits for a promise go on. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

test("a late answer is dropped, also where the asker does not look at the signal", async () => {
  const latest = new Latest()
  const shown: string[] = []
  const ask = (name: string) => new Promise<{ signal: AbortSignal; answer: () => void }>((asked) => {
    latest.ask(0, (signal) => new Promise<string>((answer) => asked({ signal, answer: () => answer(name) })), (answer) => shown.push(answer), never)
  })
  const first = await ask("m")
  const second = await ask("ma")
  assert.deepEqual([first.signal.aborted, second.signal.aborted, latest.pending], [true, false, true])
  second.answer()
  first.answer()
  await settled()
  assert.deepEqual([shown, latest.pending], [["ma"], false])
})

test("a burst asks once, and cancel asks nothing", async () => {
  const latest = new Latest()
  const asked: string[] = []
  for (const query of ["m", "ma", "mak"]) latest.ask(0, async () => asked.push(query), () => {}, never)
  await settled()
  latest.ask(0, async () => asked.push("make"), () => {}, never)
  latest.cancel()
  await settled()
  assert.deepEqual([asked, latest.pending], [["mak"], false])
})

test("a failure is told, one that comes late is not", async () => {
  const latest = new Latest()
  const failed: unknown[] = []
  await new Promise<void>((resolve) => latest.ask(0, () => Promise.reject(new Error("down")), never, (error) => resolve(void failed.push(error))))
  assert.equal(failed.length, 1)
  await new Promise<void>((resolve) => latest.ask(0, async () => {
    latest.cancel()
    resolve()
    throw new Error("down")
  }, never, (error) => failed.push(error)))
  await settled()
  assert.equal(failed.length, 1)
})

test("what is announced is the last of a burst, and not the same twice", async () => {
  const said: string[] = []
  const counter = new Counter((text) => said.push(text), 0)
  for (const text of ["9 results", "4 results", "1 result"]) counter.say(text)
  await settled()
  counter.say("1 result")
  await settled()
  counter.say("2 results")
  counter.stop()
  await settled()
  assert.deepEqual(said, ["1 result"])
})
