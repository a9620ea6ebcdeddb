import assert from "node:assert/strict"
import { test } from "node:test"
import { Words } from "../words.ts"
import { markOf, PageTitle, type Activity } from "./title.ts"

const idle: Activity = { running: false, asks: false, lastSeq: 5 }

test("what a hidden tab tells", () => {
  const running = { ...idle, running: true }
  assert.equal(markOf(idle, idle), "")
  assert.equal(markOf(idle, { ...running, lastSeq: 7 }), "")
  assert.equal(markOf(running, { ...running, lastSeq: 9 }), "")
  assert.equal(markOf(running, { ...idle, lastSeq: 9 }), "done")
  assert.equal(markOf(idle, { ...idle, lastSeq: 9 }), "done") // began and ended in between
  assert.equal(markOf(running, { running: true, asks: true, lastSeq: 9 }), "asks")
  assert.equal(markOf(running, { running: false, asks: true, lastSeq: 9 }), "asks")
})

test("a mark stands before the title, whatever comes first", () => {
  const document = { title: "Chat · WebShell" } as Document
  const title = new PageTitle(document, new Words({ "title.asks": "Needs your answer", "title.done": "Finished" }))
  title.mark = "asks"
  assert.equal(document.title, "Needs your answer · Chat · WebShell")
  title.base = "Other · WebShell"
  assert.equal(document.title, "Needs your answer · Other · WebShell")
  title.mark = "done"
  assert.equal(document.title, "Finished · Other · WebShell")
  title.mark = ""
  assert.equal(document.title, "Other · WebShell")
})
