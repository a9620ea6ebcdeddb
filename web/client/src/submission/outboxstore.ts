import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from "idb"
import type { Clock } from "../clock.ts"
import { isObject } from "../json.ts"
import { parseDraft } from "../parse.ts"
import { uuid } from "../uuid.ts"
import type { LeftBehind } from "./elsewhere.ts"
import type { Kept, Outbox } from "./outbox.ts"
import type { Reason } from "./submission.ts"

interface Entry extends Kept {
  /** Whose it is: a browser may serve several people, one after the other. */
  person: string
  session: string | null
  /** The tab whose page sends it. */
  holder: string
  /** When it was submitted, in milliseconds since 1970. */
  at: number
}

interface Schema extends DBSchema {
  outbox: { key: string; value: Entry }
}

type Changeable = IDBPObjectStore<Schema, ["outbox"], "outbox", "readwrite">

/** So long other tabs have to say that they are there, in milliseconds. */
export const answersWithin = 250

/** The holder of what waits for a page of its session. */
const nobody = ""

const holderKey = "webshell.tab"

/** What a tab asks the others. */
const whoIsThere = "who is there"

/**
 * The outbox in IndexedDB. What is sent twice all the same, by tabs that do not
 * know of each other, counts once with the server: the request id is the same.
 * Where a browser forbids storage a message lives as long as its page.
 */
export class OutboxStore implements Outbox, LeftBehind {
  readonly #person: string
  readonly #clock: Clock
  readonly #holder = holderOf(() => sessionStorage)
  readonly #database = open()
  readonly #channel: BroadcastChannel
  /** When the messages of this page were submitted, by request id. */
  readonly #submitted = new Map<string, number>()
  /** The same of those that are sent from here and belong to no page. */
  readonly #left = new Map<string, number>()
  #last = 0

  constructor(person: string, clock: Clock) {
    this.#person = person
    this.#clock = clock
    this.#channel = new BroadcastChannel("webshell.outbox")
    this.#channel.addEventListener("message", ({ data }) => data === whoIsThere && this.#channel.postMessage({ holder: this.#holder }))
  }

  keep({ requestId, message, mode, reason }: Kept, session: string | null): void {
    const at = this.#submitted.get(requestId) ?? this.#now()
    this.#submitted.set(requestId, at)
    this.#put({ requestId, message, mode, reason }, session, at, this.#holder)
  }

  leave(kept: Kept, session: string | null): void {
    const at = this.#left.get(kept.requestId) ?? this.#now()
    this.#left.set(kept.requestId, at)
    this.#put(kept, session, at, nobody)
  }

  drop(requestId: string): void {
    this.#submitted.delete(requestId)
    this.#left.delete(requestId)
    void this.#change((outbox) => outbox.delete(requestId))
  }

  /** Takes over a session's messages that pages which are gone have left behind, in the order of submission. */
  async claim(session: string | null): Promise<Kept[]> {
    const taken = await this.#abandoned((entry) => entry.session === session)
    for (const entry of taken) {
      this.#submitted.set(entry.requestId, entry.at)
      this.keep(entry, session)
    }
    return taken
  }

  async left(except: string | null): Promise<ReadonlyMap<string | null, Kept[]>> {
    const left = await this.#abandoned((entry) => entry.session !== except && entry.reason === null)
    for (const entry of left) this.#left.set(entry.requestId, entry.at)
    const sessions = new Map<string | null, Kept[]>()
    for (const entry of left) sessions.set(entry.session, [...(sessions.get(entry.session) ?? []), entry])
    return sessions
  }

  /** How many messages of this person are not sent, in all sessions and tabs. */
  async size(): Promise<number> {
    return (await this.#own()).length
  }

  /** Forgets what this person has not sent. */
  async clear(): Promise<void> {
    for (const { requestId } of await this.#own()) await this.#change((outbox) => outbox.delete(requestId))
  }

  /** The messages that no page is there to send. */
  async #abandoned(which: (entry: Entry) => boolean): Promise<Entry[]> {
    const left = (await this.#own()).filter((entry) => which(entry) && !this.#submitted.has(entry.requestId))
    const elsewhere = await this.#whichAreThere(new Set(left.map((entry) => entry.holder)))
    return left.filter((entry) => !elsewhere.has(entry.holder))
  }

  #put({ requestId, message, mode, reason }: Kept, session: string | null, at: number, holder: string): void {
    const entry: Entry = { requestId, message, mode, reason, session, at, person: this.#person, holder }
    void this.#change((outbox) => outbox.put(entry))
  }

  async #own(): Promise<Entry[]> {
    const entries = (await this.#with((database) => database.getAll("outbox"))) ?? []
    const own = entries.map(readEntry).filter((entry) => entry?.person === this.#person) as Entry[]
    return own.sort((a, b) => a.at - b.at)
  }

  /** Strictly growing, so that two messages of one moment stay in order. */
  #now(): number {
    this.#last = Math.max(Date.now(), this.#last + 1)
    return this.#last
  }

  /** Which of these tabs have a page that sends for itself. */
  async #whichAreThere(holders: Set<string>): Promise<ReadonlySet<string>> {
    holders.delete(this.#holder)
    holders.delete(nobody)
    const present = new Set<string>()
    if (holders.size === 0) return present
    const hear = ({ data }: MessageEvent): void => {
      if (isObject(data) && typeof data["holder"] === "string") present.add(data["holder"])
    }
    this.#channel.addEventListener("message", hear)
    this.#channel.postMessage(whoIsThere)
    await new Promise<void>((resolve) => void this.#clock.after(answersWithin, resolve))
    this.#channel.removeEventListener("message", hear)
    return present
  }

  /** Changes the outbox at once: what is not committed when the page goes is undone. */
  #change(f: (outbox: Changeable) => Promise<unknown>): Promise<unknown> {
    return this.#with((database) => {
      const change = database.transaction("outbox", "readwrite")
      const done = f(change.store)
      change.commit()
      return Promise.all([done, change.done])
    })
  }

  async #with<T>(f: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
    const database = await this.#database
    try {
      return database ? await f(database) : undefined
    } catch {
      return undefined // it is full, or a newer page needs it
    }
  }
}

/** null where the browser has no storage, or forbids it. */
async function open(): Promise<IDBPDatabase<Schema> | null> {
  try {
    return await openDB<Schema>("webshell", 1, {
      upgrade: (made) => void made.createObjectStore("outbox", { keyPath: "requestId" }),
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    })
  } catch {
    return null
  }
}

/** The tab's name, which outlives a reload. */
function holderOf(store: () => Storage): string {
  const made = uuid()
  try {
    const known = store().getItem(holderKey)
    if (known) return known
    store().setItem(holderKey, made)
  } catch {
    // Storage that is full or forbidden: each page is a tab of its own.
  }
  return made
}

/** Reads what a page of another version may have written. */
function readEntry(value: unknown): Entry | null {
  if (!isObject(value)) return null
  const { requestId, person, session, holder, at, message, mode, reason } = value
  if (typeof requestId !== "string" || typeof person !== "string" || typeof holder !== "string" || typeof at !== "number") return null
  if (!(typeof session === "string" || session === null) || !isObject(message) || typeof message["text"] !== "string") return null
  return {
    requestId, person, session, holder, at,
    message: parseDraft(message["text"], message["tags"]),
    mode: mode === "steer" ? mode : "queue",
    reason: readReason(reason),
  }
}

function readReason(value: unknown): Reason | null {
  if (!isObject(value) || typeof value["code"] !== "string" || typeof value["message"] !== "string") return null
  return { code: value["code"], message: value["message"] }
}
