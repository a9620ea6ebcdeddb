/** The most that is said at once, in UTF-16 units. What came faster is left out: it is on the page. */
const most = 500

/**
 * Turns an answer that grows into portions to be read aloud: whole sentences as
 * far as they are finished, nothing twice.
 */
export class Speech {
  #said = 0 // units of the block's text that were said, or left out
  #end = 0 // units of its finished part
  #finished = "" // what of that was not said
  #rest = "" // the text behind it

  /** Text that is finished now. So far it was the beginning of the rest. */
  finish(text: string): void {
    this.#finished += text.slice(Math.max(0, this.#said - this.#end))
    this.#end += text.length
    this.#said = Math.min(this.#said, this.#end)
    this.#rest = ""
  }

  /** The whole text behind what is finished. */
  set rest(text: string) {
    this.#rest = text
  }

  /** Text that was appended to it. */
  append(text: string): void {
    this.#rest += text
  }

  /** The block is closed with this text. */
  close(text: string): void {
    this.#finished = text.slice(this.#said)
    this.#end = text.length
    this.#rest = ""
  }

  /** What to say now, "" for nothing yet; with all also an unfinished sentence. */
  take(all = false): string {
    const pending = this.#finished + this.#rest.slice(Math.max(0, this.#said - this.#end))
    const end = all ? pending.length : portion(pending)
    this.#said += end
    this.#finished = this.#finished.slice(end)
    return bounded(pending.slice(0, end))
  }
}

/** How much of a text ends with a sentence or a line; where none does and it is long, with a word. */
function portion(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?…](?=\s)|[。！？；]|\n/g)) end = match.index + match[0].length
  if (end === 0 && text.length > most) end = Math.max(text.lastIndexOf(" ", most), most)
  return end
}

/** One line, of its end only as much as is said at once. */
function bounded(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= most) return line
  const cut = line.slice(-most)
  const word = cut.indexOf(" ")
  return "… " + cut.slice(word < 0 || word > most / 2 ? 0 : word + 1)
}
