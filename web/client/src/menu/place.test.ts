import assert from "node:assert/strict"
import { test } from "node:test"
import { place, type Scene } from "./place.ts"

const scene: Scene = {
  viewport: { left: 0, top: 0, right: 1280, bottom: 800 },
  token: { left: 500, right: 500, top: 700, bottom: 720 },
  composer: { left: 300, top: 690, right: 1060, bottom: 780 },
  width: 400, height: 260, rtl: false, side: null,
}

function inside(scene: Scene): void {
  const at = place(scene)
  const top = at.side === "above" ? at.edge - at.height : at.edge
  assert.ok(at.left >= scene.viewport.left && at.left + at.width <= scene.viewport.right, "outside to a side")
  assert.ok(top >= scene.viewport.top && top + at.height <= scene.viewport.bottom, "outside above or below")
  assert.ok(top + at.height <= scene.token.top || top >= scene.token.bottom, "over the line")
}

test("above the line where there is room, its start at the token's", () => {
  assert.deepEqual(place(scene), { side: "above", left: 500, width: 400, edge: 694, height: 260 })
  inside(scene)
})

test("below where there is none above, and the roomier side where there is none at all", () => {
  const high = { ...scene, token: { ...scene.token, top: 100, bottom: 120 } }
  assert.equal(place(high).side, "below")
  inside(high)
  const low = { ...high, viewport: { ...scene.viewport, bottom: 250 } }
  assert.equal(place(low).side, "below")
  assert.ok(place(low).height < scene.height)
  inside(low)
  const lower = { ...low, token: { ...scene.token, top: 160, bottom: 180 } }
  assert.equal(place(lower).side, "above")
  inside(lower)
})

test("it stays on its side while there is some room", () => {
  const high = { ...scene, token: { ...scene.token, top: 200, bottom: 220 } }
  assert.equal(place(high).side, "below")
  assert.equal(place({ ...high, side: "above" }).side, "above")
  assert.equal(place({ ...high, token: { ...scene.token, top: 60, bottom: 80 }, side: "above" }).side, "below")
})

test("inside the viewport to both sides, right to left too", () => {
  for (const left of [0, 4, 600, 1279]) {
    for (const rtl of [false, true]) inside({ ...scene, token: { ...scene.token, left, right: left }, rtl })
  }
  assert.equal(place({ ...scene, rtl: true }).left, 100)
})

test("above a soft keyboard, in a zoomed page", () => {
  const seen = { ...scene, viewport: { left: 100, top: 300, right: 500, bottom: 560 }, token: { left: 420, right: 420, top: 500, bottom: 520 } }
  assert.equal(place(seen).side, "above")
  inside(seen)
})

test("on narrow screens it is as wide as the message box", () => {
  const phone: Scene = { ...scene, viewport: { left: 0, top: 0, right: 320, bottom: 300 }, token: { left: 200, right: 200, top: 240, bottom: 260 }, composer: { left: 12, top: 220, right: 308, bottom: 290 } }
  const at = place(phone)
  assert.deepEqual([at.left, at.width], [12, 296])
  inside(phone)
})
