import assert from "node:assert/strict"
import { test } from "node:test"
import { TestClock } from "./testclock.ts"
import { Backoff } from "./backoff.ts"

function waits(chance: number): number[] {
  const clock = new TestClock()
  clock.chance = chance
  const backoff = new Backoff(clock)
  return Array.from({ length: 10 }, () => backoff.failed())
}

test("tabs that lost the same server do not come back in step", () => {
  const [early, late] = [waits(0), waits(0.999)]
  early.forEach((wait, i) => {
    const other = late[i] as number
    assert.ok(other - wait >= Math.min(200, other / 3), `try ${i}: ${wait} and ${other}`)
    assert.ok(other <= 30_000)
  })
})

test("a time that the server asks for is kept, and spread as well", () => {
  const clock = new TestClock()
  const backoff = new Backoff(clock)
  clock.chance = 0
  assert.equal(backoff.failed(5_000), 5_000)
  clock.chance = 0.999
  const wait = backoff.failed(5_000)
  assert.ok(wait > 5_400 && wait < 6_000, `${wait}`)
  assert.ok(backoff.forbidden)
  clock.pass(5_000)
  assert.ok(!backoff.forbidden)
})
