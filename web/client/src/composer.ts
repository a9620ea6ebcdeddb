import { CurrentEditor } from "./editor/current.ts"
import type { Editor, EditorHost, RichOptions } from "./editor/editor.ts"
import { PlainEditor } from "./editor/plain.ts"
import { isBlank, type Draft, type Tag } from "./message.ts"
import type { menus, MenuOptions } from "./menu/index.ts"
import type { Mode } from "./submission/submission.ts"
import type { Recall } from "./submission/recall.ts"
import type { Words } from "./words.ts"

/** What the rich editor's script exports. */
interface EditorScript {
  createRichEditor(textarea: HTMLTextAreaElement, options: RichOptions): Editor
  menus: typeof menus
}

export interface ComposerOptions {
  words: Words
  /** The address of the rich editor's script. */
  editor: string
  /** The nonce that the page's content security policy wants on styles. */
  nonce: string
  /** Draws a chip; text is what it covers. */
  chip(tag: Tag, text: string): HTMLElement
  /** Says something to assistive technology, politely. */
  announce(text: string): void
  /** What the menus after "@" and "/" need; without it there are none. */
  menus?: MenuOptions
  /** What was sent before, for the arrow keys. */
  recall: Pick<Recall, "step">
  /** A message was sent. It has left the message box. */
  onSubmit(draft: Draft, mode: Mode): void
}

/** The form to write a message. It is never disabled: one may write and send at any time. */
export class Composer implements EditorHost {
  readonly #form: HTMLFormElement
  readonly #options: ComposerOptions
  readonly #plain: PlainEditor
  readonly #editor: CurrentEditor

  constructor(form: HTMLFormElement, options: ComposerOptions) {
    this.#form = form
    this.#options = options
    const textarea = form.querySelector("textarea")!
    this.#plain = new PlainEditor(textarea, field(form, "tags")?.value ?? "", this)
    this.#editor = new CurrentEditor(this.#plain)
    form.noValidate = true // the form's "required" is for browsers without script
    form.addEventListener("submit", (event) => this.#intercept(event))
    form.addEventListener("formdata", ({ formData }) => this.#fill(formData))
    form.querySelector(".send")?.addEventListener("mousedown", (event) => event.preventDefault()) // the message box keeps the focus
    void this.#enrich(textarea)
  }

  /** The message box. This object stays the same when the rich editor takes over. */
  get editor(): Editor {
    return this.#editor
  }

  /** Shows what holds only while a turn runs. */
  setRunning(running: boolean): void {
    this.#form.toggleAttribute("data-running", running)
    for (const part of this.#form.querySelectorAll<HTMLElement>("[data-when-running]")) part.hidden = !running
  }

  /** Enter does what the person prefers while a turn runs, the other way is the other one. */
  submit(other: boolean): void {
    const steers = (this.#form.dataset["enter"] === "steer") !== other
    this.#send(steers && this.#canSteer ? "steer" : "queue")
  }

  get #canSteer(): boolean {
    return this.#form.hasAttribute("data-running") && this.#form.hasAttribute("data-steers")
  }

  #send(mode: Mode): void {
    const draft = this.#editor.get()
    if (isBlank(draft.text)) return this.#editor.focus()
    if (this.#isTooLarge(draft.text)) return this.#say(this.#options.words.t("failed.limit", String(this.#maxBytes / 2 ** 20)))
    this.#say("")
    this.#editor.take()
    this.#options.onSubmit(draft, mode)
  }

  recall(direction: -1 | 1): Draft | null {
    return this.#options.recall.step(direction, this.#editor.isEmpty())
  }

  #intercept(event: SubmitEvent): void {
    event.preventDefault()
    const { submitter } = event
    const send = (): void => this.#send(submitter instanceof HTMLButtonElement && submitter.value === "steer" ? "steer" : "queue")
    if (!this.#editor.isComposing()) return send()
    // What is being composed belongs to the message: leaving the box ends it.
    const { element } = this.#editor
    element.blur()
    setTimeout(() => {
      element.focus()
      send()
    })
  }

  /** Whoever reads the form gets what the message box says. */
  #fill(data: FormData): void {
    const { text, tags } = this.#editor.get()
    data.set("text", text)
    data.set("tags", JSON.stringify(tags))
  }

  /** Puts the rich editor in the textarea's place once it has loaded; where it cannot be had, the textarea stays. */
  async #enrich(textarea: HTMLTextAreaElement): Promise<void> {
    const { announce, chip, editor, menus, nonce, words } = this.#options
    const script = await (import(editor) as Promise<EditorScript>).catch(() => null)
    if (!script) return
    this.#plain.composition.whenIdle(() => {
      const options: RichOptions = { host: this, words, nonce, announce, chip, draft: this.#plain.get(), extensions: menus ? [script.menus(menus)] : [] }
      this.#editor.replace(script.createRichEditor(textarea, options))
    })
  }

  get #maxBytes(): number {
    return Number(this.#form.dataset["maxBytes"]) || Infinity
  }

  #isTooLarge(text: string): boolean {
    const limit = this.#maxBytes
    return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
  }

  /** Says why a message was not sent; "" takes it back. */
  #say(words: string): void {
    let said = this.#form.querySelector(".composer-error")
    if (words === "") return said?.remove()
    if (!said) {
      said = document.createElement("p")
      said.className = "composer-error"
      said.id = "composer-error"
      said.role = "alert"
      this.#form.prepend(said)
    }
    said.textContent = words
  }
}

function field(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`input[name="${name}"]`)
}
