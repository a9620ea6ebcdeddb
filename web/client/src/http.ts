import { isObject, parseJSON } from "./json.ts"

/** What became of a request. Only our server's own words make an answer definite. */
export type Answer =
  | { kind: "ok"; status: number; json: unknown }
  | Refusal
  /** The sign-in has ended, or the sign-in link is used up (code "link_expired"). */
  | { kind: "signed-out"; code: string; message: string }
  /** Nobody knows: no answer, none in time, or one that is not our server's. retryAfter is in milliseconds. */
  | { kind: "unknown"; retryAfter?: number }

/** Our server's error body. retryAfter, in milliseconds, where it asks to come back (503). */
export interface Refusal {
  kind: "refused"
  status: number
  code: string
  message: string
  retryAfter?: number
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT"
  /** Sent as JSON. */
  body?: unknown
  /** In milliseconds; by default 30 s and what the body may take on a slow line. */
  timeout?: number
  /** Gives up from outside; the answer is then "unknown". */
  signal?: AbortSignal
  /** Let the request outlive the page. Browsers take 64 KiB of these at most. */
  keepalive?: boolean
  /** The address of the sign-in page: an answer from there means signed out. */
  login?: string
}

const patience = 30_000
const slowestLine = 32 // bytes per millisecond
const keepaliveLimit = 60_000

/** Asks our server for JSON. It never throws, and never waits for ever. */
export async function request(url: string, options: RequestOptions = {}): Promise<Answer> {
  const body = options.body === undefined ? null : new TextEncoder().encode(JSON.stringify(options.body))
  const abort = new AbortController()
  const give = (): void => abort.abort()
  const timer = setTimeout(give, options.timeout ?? patience + (body?.length ?? 0) / slowestLine)
  options.signal?.addEventListener("abort", give)
  if (options.signal?.aborted) give()
  try {
    const response = await fetch(url, {
      method: options.method ?? "GET",
      headers: { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
      body,
      credentials: "same-origin",
      cache: "no-store",
      keepalive: options.keepalive === true && (body?.length ?? 0) <= keepaliveLimit,
      signal: abort.signal,
    })
    return await classify(response, options.login)
  } catch {
    return { kind: "unknown" }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener("abort", give)
  }
}

/** What classify looks at of a Response. */
export interface Received {
  status: number
  redirected: boolean
  url: string
  headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** Tells what an answer means. Reading its body may throw as fetch does. */
export async function classify(response: Received, login?: string): Promise<Answer> {
  if (login !== undefined && response.redirected && pathOf(response.url) === pathOf(login)) {
    return { kind: "signed-out", code: "unauthorized", message: "" }
  }
  if (response.status === 204) return { kind: "ok", status: 204, json: null }
  const json = isJSON(response.headers.get("Content-Type")) ? parseJSON(await response.text()) : undefined
  if (response.status >= 200 && response.status < 300) {
    return json === undefined ? { kind: "unknown" } : { kind: "ok", status: response.status, json }
  }
  const error = errorOf(json)
  if (response.status === 401) return { kind: "signed-out", ...(error ?? { code: "unauthorized", message: "" }) }
  const wait = retryAfter(response.headers.get("Retry-After"))
  const later = wait === undefined ? {} : { retryAfter: wait }
  // A proxy that finds a body too large never passes it on.
  if (response.status === 413 && !error) return { kind: "refused", status: 413, code: "too_large", message: "" }
  if (!error) return { kind: "unknown", ...later }
  return { kind: "refused", status: response.status, ...error, ...later }
}

function pathOf(url: string): string {
  return new URL(url, globalThis.location?.href).pathname
}

function isJSON(type: string | null): boolean {
  return type !== null && /^application\/json\s*(;|$)/i.test(type)
}

/** Reads our server's error body: {"error":{"code","message"}}. */
export function errorOf(json: unknown): { code: string; message: string } | null {
  const error = isObject(json) && isObject(json["error"]) ? json["error"] : null
  const code = error?.["code"]
  if (typeof code !== "string" || code === "") return null
  const message = error?.["message"]
  return { code, message: typeof message === "string" ? message : "" }
}

/** Retry-After in seconds (RFC 9110, 10.2.3), at most a minute; a date counts as nothing said. */
export function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Math.min(Number(header), 60) * 1000 : undefined
}
