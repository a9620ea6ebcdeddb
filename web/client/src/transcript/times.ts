// Made when first needed: a browser's first one costs it 40 to 90 ms.
const forms = {
  clock: {},
  day: { month: "short", day: "numeric" },
  year: { year: "numeric", month: "short", day: "numeric" },
  full: { year: "numeric", month: "long", day: "numeric", weekday: "long", second: "2-digit", timeZoneName: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/**
 * Times of day in the reader's own zone. The server writes them in its own: it
 * does not know where the reader is. The forms are the server's: the time, the
 * day with it when it was another day, the year when it was another year.
 */
export class Times {
  readonly #form: (form: keyof typeof forms) => Intl.DateTimeFormat
  readonly #now: () => Date

  /** zone is the browser's unless a test names another. */
  constructor(lang: string, now: () => Date = () => new Date(), zone?: string) {
    const made: Partial<Record<keyof typeof forms, Intl.DateTimeFormat>> = {}
    this.#form = (form) =>
      (made[form] ??= new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(zone && { timeZone: zone }), ...forms[form] }))
    this.#now = now
  }

  /** Makes what the next message needs, so that its frame need not wait for it. */
  prepare(): void {
    this.short(this.#now())
    this.#form("full")
  }

  /** Writes every time below an element anew. */
  localize(fragment: ParentNode): void {
    for (const time of fragment.querySelectorAll<HTMLTimeElement>("time.at[datetime]")) {
      const at = new Date(time.dateTime)
      if (Number.isNaN(at.getTime())) continue
      time.textContent = this.short(at)
      time.title = this.#form("full").format(at)
    }
  }

  /** As short as a moment can be told apart from now. */
  short(at: Date): string {
    const [then, now] = [this.#dayOf(at), this.#dayOf(this.#now())]
    if (then.year !== now.year) return this.#form("year").format(at)
    return then.day === now.day ? this.#form("clock").format(at) : this.#form("day").format(at)
  }

  #dayOf(at: Date): { year: string; day: string } {
    const parts = this.#form("year").formatToParts(at)
    const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ""
    return { year: of("year"), day: of("month") + of("day") }
  }
}
