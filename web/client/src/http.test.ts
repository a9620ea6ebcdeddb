import assert from "node:assert/strict"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import { classify, request, type Answer, type Received } from "./http.ts"

const login = "http://host/base/login"

function received(status: number, body: string, more: { type?: string; url?: string; redirected?: boolean; retryAfter?: string } = {}): Received {
  const headers = new Map([["content-type", more.type ?? "application/json; charset=utf-8"]])
  if (more.retryAfter !== undefined) headers.set("retry-after", more.retryAfter)
  return {
    status,
    redirected: more.redirected ?? false,
    url: more.url ?? "http://host/base/sessions",
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    text: () => Promise.resolve(body),
  }
}

const ours = (code: string): string => JSON.stringify({ error: { code, message: "words" } })
const html = { type: "text/html; charset=utf-8" }

const cases: [string, Received, Answer][] = [
  ["an answer", received(201, `{"state":"logged"}`), { kind: "ok", status: 201, json: { state: "logged" } }],
  ["a repeated answer", received(200, `{"state":"logged"}`), { kind: "ok", status: 200, json: { state: "logged" } }],
  ["nothing to say", received(204, ""), { kind: "ok", status: 204, json: null }],
  ["a page where JSON was asked for", received(200, "<p>Welcome to our hotel", html), { kind: "unknown" }],
  ["broken JSON", received(201, `{"state":`), { kind: "unknown" }],
  ["a refusal", received(422, ours("blank")), { kind: "refused", status: 422, code: "blank", message: "words" }],
  ["a conflict", received(409, ours("request_id_reused")), { kind: "refused", status: 409, code: "request_id_reused", message: "words" }],
  ["our 500", received(500, ours("internal")), { kind: "refused", status: 500, code: "internal", message: "words" }],
  ["our 503", received(503, ours("unavailable"), { retryAfter: "2" }), { kind: "refused", status: 503, code: "unavailable", message: "words", retryAfter: 2000 }],
  ["a proxy's 502", received(502, "<h1>Bad Gateway", html), { kind: "unknown" }],
  ["a proxy's 503", received(503, "<h1>Later", { ...html, retryAfter: "7" }), { kind: "unknown", retryAfter: 7000 }],
  ["a wait without end", received(503, "<h1>Later", { ...html, retryAfter: "999999" }), { kind: "unknown", retryAfter: 60000 }],
  ["a date to come back", received(503, "<h1>Later", { ...html, retryAfter: "Fri, 31 Dec 1999 23:59:59 GMT" }), { kind: "unknown" }],
  ["a proxy's JSON", received(500, `{"error":"upstream"}`), { kind: "unknown" }],
  ["an error without a code", received(400, `{"error":{"message":"x"}}`), { kind: "unknown" }],
  ["a proxy's 404", received(404, "404 page not found", { type: "text/plain" }), { kind: "unknown" }],
  ["a proxy's 413", received(413, "<h1>Too large", html), { kind: "refused", status: 413, code: "too_large", message: "" }],
  ["signed out", received(401, ours("unauthorized")), { kind: "signed-out", code: "unauthorized", message: "words" }],
  ["signed out at a proxy", received(401, "<h1>Authorization required", html), { kind: "signed-out", code: "unauthorized", message: "" }],
  ["a used link", received(401, ours("link_expired")), { kind: "signed-out", code: "link_expired", message: "words" }],
  ["led to the sign-in page", received(200, "<form>", { ...html, redirected: true, url: login + "?next=%2F" }), { kind: "signed-out", code: "unauthorized", message: "" }],
  ["led elsewhere", received(200, "<p>", { ...html, redirected: true, url: "http://host/base/other" }), { kind: "unknown" }],
  ["the sign-in page's own answer", received(200, `{"ok":true}`, { url: login }), { kind: "ok", status: 200, json: { ok: true } }],
]
for (const [name, response, want] of cases) {
  test(`an answer's meaning: ${name}`, async () => {
    assert.deepEqual(await classify(response, login), want)
  })
}

let server: Server
let url = ""
let seen: { method: string | undefined; accept: string | undefined; type: string | undefined; body: string }[] = []

before(async () => {
  server = createServer((req, res) => {
    let body = ""
    req.on("data", (part: Buffer) => (body += part.toString()))
    req.on("end", () => {
      seen.push({ method: req.method, accept: req.headers.accept, type: req.headers["content-type"], body })
      if (req.url === "/hangs") return
      if (req.url === "/cut") return void req.socket.destroy()
      if (req.url === "/half") {
        res.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" })
        res.write("{")
        return void setImmediate(() => req.socket.destroy())
      }
      res.writeHead(200, { "Content-Type": "application/json" })
      res.end(JSON.stringify({ url: req.url }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

after(() => {
  server.closeAllConnections()
  server.close()
})

test("JSON goes out and comes in", async () => {
  seen = []
  const answer = await request(url + "/x", { method: "PUT", body: { text: "😀" } })
  assert.deepEqual(answer, { kind: "ok", status: 200, json: { url: "/x" } })
  assert.deepEqual(seen, [{ method: "PUT", accept: "application/json", type: "application/json", body: `{"text":"😀"}` }])
})

test("a lost connection, an answer cut in half, and none in time are unknown", async () => {
  assert.deepEqual(await request(url + "/cut", { method: "POST", body: {} }), { kind: "unknown" })
  assert.deepEqual(await request(url + "/half"), { kind: "unknown" })
  assert.deepEqual(await request(url + "/hangs", { timeout: 1 }), { kind: "unknown" })
})

test("a request that was given up is unknown", async () => {
  const abort = new AbortController()
  const answer = request(url + "/hangs", { signal: abort.signal })
  abort.abort()
  assert.deepEqual(await answer, { kind: "unknown" })
  assert.deepEqual(await request(url + "/x", { signal: abort.signal }), { kind: "unknown" })
})
