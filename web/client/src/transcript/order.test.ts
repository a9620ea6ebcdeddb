import assert from "node:assert/strict"
import { test } from "node:test"
import { isLogged, nextOf, type Ranked } from "./order.ts"

interface Row extends Ranked {
  name: string
}

const older: Row = { name: "older", dataset: {} }
const logged = (seq: number): Row => ({ name: String(seq), dataset: { role: "user", seq: String(seq) } })
const open: Row = { name: "open", dataset: { role: "assistant", seq: "0", open: "" } }
const echo = (name: string): Row => ({ name, dataset: { role: "user", seq: "0" } })

function place(rows: Row[], row: Row): string {
  const rest = rows.filter((other) => other !== row)
  const next = nextOf(row, rows)
  rest.splice(next ? rest.indexOf(next) : rest.length, 0, row)
  return rest.map((one) => one.name).join(" ")
}

test("rows stand as in the log, then the open block, then what is on its way", () => {
  const rows = [older, logged(3), logged(7), open, echo("a"), echo("b")]
  assert.equal(place(rows, logged(8)), "older 3 7 8 open a b")
  assert.equal(place(rows, logged(5)), "older 3 5 7 open a b")
  assert.equal(place(rows, logged(1)), "older 1 3 7 open a b")
  assert.equal(place(rows, echo("c")), "older 3 7 open a b c")
  assert.equal(place([older, logged(3), echo("a")], open), "older 3 open a")
  assert.equal(place([older], logged(1)), "older 1")
})

test("an echo that was logged out of turn goes where the log has it", () => {
  const first = echo("first")
  const second: Row = { name: "second", dataset: { role: "user", seq: "4" } }
  assert.equal(place([logged(3), first, second], second), "3 second first")
})

test("a row in its place stays", () => {
  const seven = logged(7)
  const rows = [older, logged(3), seven, open]
  assert.equal(nextOf(seven, rows), open)
})

test("what is logged", () => {
  assert.ok(isLogged(logged(1)))
  assert.ok(!isLogged(open))
  assert.ok(!isLogged(echo("a")))
  assert.ok(!isLogged({ dataset: { role: "user", seq: "nonsense" } }))
})
