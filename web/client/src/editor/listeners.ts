/** Those who want to know of changes to a message. */
export class Listeners {
  readonly #all = new Set<(byPerson: boolean) => void>()

  /** Returns a function that takes the listener out again. */
  add(listener: (byPerson: boolean) => void): () => void {
    const entry = (byPerson: boolean): void => listener(byPerson)
    this.#all.add(entry)
    return () => this.#all.delete(entry)
  }

  tell(byPerson: boolean): void {
    for (const listener of [...this.#all]) listener(byPerson)
  }
}
