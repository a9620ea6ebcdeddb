/** The words that scripts show, in the page's language: the server's keys under "client.". */
export class Words {
  readonly #words: ReadonlyMap<string, string>
  readonly #plural: Intl.PluralRules

  /** lang is the page's language, which decides which plural forms there are. */
  constructor(words: Record<string, unknown>, lang = "en") {
    this.#plural = new Intl.PluralRules(lang)
    this.#words = new Map(Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === "string"))
  }

  /** Reads the page's words. */
  static of(document: Document): Words {
    const json = document.getElementById("words")?.textContent
    try {
      return new Words(json ? (JSON.parse(json) as Record<string, unknown>) : {}, document.documentElement.lang || "en")
    } catch {
      return new Words({})
    }
  }

  /** The words for key, with each %s or %d replaced by the next argument. A key without words comes back as it is. */
  t(key: string, ...args: (string | number)[]): string {
    const text = this.#words.get(key) ?? key
    let next = 0
    return text.replace(/%[sd]/g, (verb) => String(args[next++] ?? verb))
  }

  /** The words for key that fit the number, which is also their first argument: "1 result", "2 results". */
  count(key: string, n: number, ...args: (string | number)[]): string {
    const form = `${key}.${this.#plural.select(n)}`
    return this.t(this.#words.has(form) ? form : key, n, ...args)
  }
}
