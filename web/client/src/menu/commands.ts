import { isObject } from "../json.ts"
import type { Command } from "../message.ts"
import { readCommand } from "../parse.ts"
import { addressOf, gapOf, type Getter } from "./get.ts"
import type { Found } from "./item.ts"

export interface CommandListOptions {
  /** The address of the list. */
  url: string
  /** The session's id; null before its first message. */
  session(): string | null
  get: Getter
  /** Milliseconds, from any start. */
  now?(): number
}

/** After this long the agent may offer other commands. */
const fresh = 30_000
const maxCommands = 500

/** The commands of the session's agent: asked for when they are needed, and again when they may have changed. */
export class CommandList {
  readonly #options: CommandListOptions
  readonly #now: () => number
  #known: { session: string | null; at: number; commands: Command[] } | null = null
  #asking: { session: string | null; answer: Promise<NonNullable<Found["gap"]> | null> } | null = null

  constructor(options: CommandListOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** What is known of the session's commands, old or not; null: nothing yet. */
  get known(): readonly Command[] | null {
    return this.#known?.session === this.#options.session() ? this.#known.commands : null
  }

  /** Whether they need not be asked for again yet. */
  get fresh(): boolean {
    return this.known !== null && this.#now() - this.#known!.at < fresh
  }

  /** Asks for them, once at a time. Afterwards they are known; else it gives what went wrong. */
  load(): Promise<NonNullable<Found["gap"]> | null> {
    const session = this.#options.session()
    if (this.#asking?.session === session) return this.#asking.answer
    const asking = { session, answer: this.#load(session) }
    this.#asking = asking
    void asking.answer.then(() => {
      if (this.#asking === asking) this.#asking = null
    })
    return asking.answer
  }

  async #load(session: string | null): Promise<NonNullable<Found["gap"]> | null> {
    const answer = await this.#options.get(addressOf(this.#options.url, { session }))
    const commands = answer.kind === "ok" ? readCommands(answer.json) : null
    if (!commands) return gapOf(answer)
    if (session === this.#options.session()) this.#known = { session, at: this.#now(), commands }
    return null
  }
}

/** Reads {"commands":[…]}; of two with one name the first counts. null where it is no list. */
export function readCommands(json: unknown): Command[] | null {
  const list = isObject(json) ? json["commands"] : null
  if (!Array.isArray(list)) return null
  const named = new Map<string, Command>()
  for (const entry of list.slice(0, maxCommands)) {
    const command = readCommand(entry)
    if (command && /^[^\s/]\S*$/u.test(command.name) && !named.has(command.name)) named.set(command.name, command)
  }
  return [...named.values()]
}
