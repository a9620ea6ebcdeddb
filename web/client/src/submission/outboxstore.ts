import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from "idb"
import type { Clock } from "../clock.ts"
import { isObject } from "../json.ts"
import { parseDraft } from "../parse.ts"
import { uuid } from "../uuid.ts"
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

const holderKey = "webshell.tab"

/**
 * The outbox in IndexedDB. What is sent twice all the same, by tabs that do not
 * know of each other, counts once with the server: the request id is the same.
 * Where a browser forbids storage a message lives as long as its page.
 */
export class OutboxStore implements Outbox {
  readonly #person: string
  readonly #clock: Clock
  readonly #holder = holderOf(() => sessionStorage)
  readonly #database = open()
  readonly #channel: BroadcastChannel
  /** When the messages of this page were submitted, by request id. */
  readonly #submitted = new Map<string, number>()
  #last = 0
  readonly #present = new Set<string>()

  constructor(person: string, clock: Clock) {
    this.#person = person
    this.#clock = clock
    this.#channel = new BroadcastChannel("webshell.outbox")
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data))
  }

  keep({ requestId, message, mode, reason }: Kept, session: string | null): void {
    const at = this.#submitted.get(requestId) ?? this.#now()
    this.#submitted.set(requestId, at)
    const entry: Entry = { requestId, message, mode, reason, session, at, person: this.#person, holder: this.#holder }
    void this.#change((outbox) => outbox.put(entry))
  }

  drop(requestId: string): void {
    this.#submitted.delete(requestId)
    void this.#change((outbox) => outbox.delete(requestId))
  }

  /** Takes over a session's messages that pages which are gone have left behind, in the order of submission. */
  async claim(session: string | null): Promise<Kept[]> {
    const left = (await this.#own()).filter((entry) => entry.session === session && !this.#submitted.has(entry.requestId))
    const elsewhere = await this.#whichAreThere(new Set(left.map((entry) => entry.holder)))
    const taken = left.filter((entry) => !elsewhere.has(entry.holder))
    for (const entry of taken) {
      this.#submitted.set(entry.requestId, entry.at)
      this.keep(entry, session)
    }
    return taken
  }

  /** How many messages of this person are not sent, in all sessions and tabs. */
  async size(): Promise<number> {
    return (await this.#own()).length
  }

  /** Forgets what this person has not sent. */
  async clear(): Promise<void> {
    for (const { requestId } of await this.#own()) await this.#change((outbox) => outbox.delete(requestId))
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
    this.#present.clear()
    if (holders.size > 0) {
      this.#channel.postMessage("who is there")
      await new Promise<void>((resolve) => void this.#clock.after(answersWithin, resolve))
    }
    return this.#present
  }

  #hear(data: unknown): void {
    if (data === "who is there") this.#channel.postMessage({ holder: this.#holder })
    else if (isObject(data) && typeof data["holder"] === "string") this.#present.add(data["holder"])
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
