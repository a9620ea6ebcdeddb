import assert from "node:assert/strict"
import { test } from "node:test"
import { Words } from "./words.ts"

const words = { "found": "%d found", "found.one": "%d thing", "found.other": "%d things", "two": "%s of %s", "odd": 5 }

test("arguments are put in in order, and are not read for verbs", () => {
  assert.equal(new Words(words).t("two", "%s", 3), "%s of 3")
  assert.equal(new Words(words).t("odd"), "odd")
})

test("the language's plural form for a number is taken", () => {
  assert.equal(new Words(words, "en").count("found", 1), "1 thing")
  assert.equal(new Words(words, "en").count("found", 0), "0 things")
  assert.equal(new Words(words, "zh-CN").count("found", 1), "1 things")
  assert.equal(new Words({ found: "%d found" }, "en").count("found", 1), "1 found")
})
