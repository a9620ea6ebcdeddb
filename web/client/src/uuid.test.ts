import assert from "node:assert/strict"
import { test } from "node:test"
import { uuid } from "./uuid.ts"

test("UUIDs of version 4, no two alike", () => {
  const seen = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const id = uuid()
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    seen.add(id)
  }
  assert.equal(seen.size, 1000)
})
