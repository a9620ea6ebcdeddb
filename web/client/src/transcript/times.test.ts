import assert from "node:assert/strict"
import { test } from "node:test"
import { Times } from "./times.ts"

const now = new Date("2026-03-02T10:00:00Z")
const forms: Record<string, [string, string, string]> = {
  en: ["09:05", "Mar 1, 09:05", "Dec 31, 2025, 09:05"],
  "zh-CN": ["09:05", "3月1日 09:05", "2025年12月31日 09:05"],
}

for (const [lang, [clock, day, year]] of Object.entries(forms)) {
  test(`the server's short forms, in ${lang}`, () => {
    const times = new Times(lang, () => now, "UTC")
    assert.equal(times.short(new Date("2026-03-02T09:05:59Z")), clock)
    assert.equal(times.short(new Date("2026-03-01T09:05:00Z")), day)
    assert.equal(times.short(new Date("2025-12-31T09:05:00Z")), year)
  })
}

test("days and years are the reader's", () => {
  const tokyo = new Times("en", () => now, "Asia/Tokyo")
  assert.equal(tokyo.short(new Date("2026-03-01T15:00:00Z")), "00:00")
  assert.equal(tokyo.short(new Date("2025-12-31T15:30:00Z")), "Jan 1, 00:30")
  const lima = new Times("en", () => now, "America/Lima")
  assert.equal(lima.short(new Date("2026-03-02T04:59:00Z")), "Mar 1, 23:59")
})
