import assert from "node:assert/strict"
import { test } from "node:test"
import { isLetIn, tokenIn } from "./signin.ts"

const token = "AbC-123_xyzAbC-123_xyzAbC-123_xyzAbC-123_xyz"

for (const [pasted, want] of [
  [`http://127.0.0.1:8080/login?token=${token}`, token],
  [`  https://host/prefix/login?next=%2F&token=${token}#x\n`, token],
  [`Sign in: http://127.0.0.1:8080/login?token=${token}`, token],
  [token, token],
  ["", null],
  ["http://127.0.0.1:8080/login", null],
  ["hello there", null],
  [`http://host/login?token=${"x".repeat(300)}`, null],
  ["http://host/login?token=<script>", null],
] as const) {
  test(`the token in ${JSON.stringify(pasted)}`, () => {
    assert.equal(tokenIn(pasted), want)
  })
}

test("an outage lets nobody in", () => {
  const refused = { kind: "refused", code: "unavailable", message: "" } as const
  assert.ok(!isLetIn({ ...refused, status: 503 }))
  assert.ok(!isLetIn({ kind: "unknown" }))
  assert.ok(!isLetIn({ kind: "signed-out", code: "unauthorized", message: "" }))
  assert.ok(isLetIn({ ...refused, status: 400 }))
  assert.ok(isLetIn({ kind: "ok", status: 200, json: null }))
})
