import assert from "node:assert/strict"
import { test } from "node:test"
import { nextToLeave } from "./lane.ts"
import { submitted, type Phase, type Submission } from "./submission.ts"

/** A lane from a row of words: "w" waiting, "s" sending, "S" slow, "u1" unconfirmed after one failure, and so on. */
function lane(words: string): Submission[] {
  const phases: Record<string, Phase> = { w: "waiting", s: "sending", S: "sending", u: "unconfirmed", o: "signed-out", a: "accepted", f: "failed" }
  return words.split(" ").map((word, i) => ({
    ...submitted(String(i), { text: "x", tags: [] }, i, "transcript"),
    phase: phases[word[0]!]!,
    slow: word === "S",
    failures: Number(word[1] ?? 0),
  }))
}

for (const [words, hasSession, want, why] of [
  ["w w", true, 0, "the first"],
  ["s w", true, null, "each waits for the answer to the one before it"],
  ["S w w", true, 1, "but not for ever"],
  ["S S w", true, 2, "three at once"],
  ["S S S w", true, null, "and no more"],
  ["a w", true, 1, "what was accepted holds nobody up"],
  ["f w", true, 1, "nor what failed"],
  ["u1 w", true, null, "what will be tried again goes first"],
  ["u3 w", true, 1, "unless it fails again and again"],
  ["o w", true, null, "nobody leaves while signed out"],
  ["w3 w", true, 0, "what is tried again leaves in its place"],
  ["S w", false, null, "there is no session to send to"],
  ["u9 w", false, null, "nor after many failures"],
  ["f w", false, 1, "the next one begins the session where it was refused to the first"],
  ["a", true, null, "nothing to send"],
] as const) {
  test(`leaving: ${words}, ${hasSession ? "in a session" : "before there is one"}: ${why}`, () => {
    assert.equal(nextToLeave(lane(words), hasSession)?.order ?? null, want)
  })
}
