import { isObject, parseJSON } from "../json.ts"
import type { Draft } from "../message.ts"
import { parseDraft } from "../parse.ts"

/**
 * What was typed last before a page went. A browser asks for the next page
 * before it tells the one that goes, so that a draft which is stored then comes
 * too late for a reload. The tab itself keeps it for that long.
 */
export interface LeftBehind {
  /** soon: it is on its way to the server, which a later page asks. */
  keep(session: string | null, draft: Draft, soon: boolean): void
  drop(session: string | null): void
  /** Takes what was kept, if it is not old. */
  take(session: string | null): Draft | null
}

/** A page that comes later than this, in milliseconds, has what the server has, or else what was kept for a day. */
const soonFor = 60_000
const longFor = 24 * 60 * 60_000

/** Where a tab keeps things: sessionStorage, which may be full or forbidden. */
export interface TabStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export function leftBehind(store: () => TabStore, now: () => number = Date.now): LeftBehind {
  const keyOf = (session: string | null): string => `webshell.draft.${session ?? ""}`
  return {
    keep: (session, { text, tags }, soon) =>
      attempt(() => store().setItem(keyOf(session), JSON.stringify({ until: now() + (soon ? soonFor : longFor), text, tags }))),
    drop: (session) => attempt(() => store().removeItem(keyOf(session))),
    take: (session) => {
      const json = attempt(() => store().getItem(keyOf(session))) ?? null
      attempt(() => store().removeItem(keyOf(session)))
      return read(json, now())
    },
  }
}

function read(json: string | null, now: number): Draft | null {
  const kept = json === null ? null : parseJSON(json)
  if (!isObject(kept)) return null
  const { until, text, tags } = kept
  return typeof text === "string" && typeof until === "number" && now < until ? parseDraft(text, tags) : null
}

function attempt<T>(f: () => T): T | undefined {
  try {
    return f()
  } catch {
    return undefined
  }
}
