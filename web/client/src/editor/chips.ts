import { isolateHistory } from "@codemirror/commands"
import type { Extension } from "@codemirror/state"
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view"
import { coverable, formOf, type Command, type CommandMark, type Tag } from "../message.ts"
import type { Words } from "../words.ts"
import { atoms } from "./atoms.ts"
import { addMark, isChip, marks, type Chip, type Held } from "./marks.ts"
import { say } from "./say.ts"
import { swallowSpaceAt } from "./swallow.ts"

/**
 * Puts a chip in the place of from..to, and one space after it; a space that is
 * typed right behind is swallowed. A tag whose form cannot be a chip is written
 * out as text.
 */
export function insertTag(view: EditorView, from: number, to: number, tag: Tag): void {
  const form = formOf(tag)
  const spaced = view.state.sliceDoc(to, to + 1) === " "
  const end = from + form.length
  const held: Held = { meaning: { ...tag }, start: from, end }
  view.dispatch({
    changes: { from, to, insert: spaced ? form : form + " " },
    selection: { anchor: end + 1 },
    effects: [...(coverable(form) ? [addMark.of(held)] : []), swallowSpaceAt.of(end + 1)],
    annotations: isolateHistory.of("full"),
    userEvent: "input.complete",
    scrollIntoView: true,
  })
}

/**
 * Writes a command's text in the place of from..to, and one space after it as
 * insertTag does, or nothing. It notes which command it is; the text looks as
 * any other.
 */
export function markCommand(
  view: EditorView, from: number, to: number, text: string, command: Command, subcommandPath?: string[], after: " " | "" = " ",
): void {
  const end = from + text.length
  const meaning: Omit<CommandMark, "start" | "end"> = { type: "command", text, command, ...(subcommandPath && { subcommandPath }) }
  const spaced = after === "" || view.state.sliceDoc(to, to + 1) === after
  view.dispatch({
    changes: { from, to, insert: spaced ? text : text + after },
    selection: { anchor: end + after.length },
    effects: [addMark.of({ meaning, start: from, end }), ...(after ? [swallowSpaceAt.of(end + 1)] : [])],
    annotations: isolateHistory.of("full"),
    userEvent: "input.complete",
    scrollIntoView: true,
  })
}

/** The chip that an element belongs to, or null. */
export function chipAt(view: EditorView, element: Element): Chip | null {
  const drawn = element.closest<HTMLElement>(".chip")
  if (!drawn || !view.contentDOM.contains(drawn)) return null
  const start = view.posAtDOM(drawn)
  return view.state.field(marks).filter(isChip).find((held) => held.start === start) ?? null
}

/** Draws chips. Each counts as one character for keys and for the pointer. */
export function chips(draw: (tag: Tag, text: string) => HTMLElement, words: Words): Extension {
  const drawn = new WeakMap<Tag, Decoration>()
  const decoration = ({ meaning }: Chip): Decoration => {
    const known = drawn.get(meaning)
    if (known) return known
    const made = Decoration.replace({ widget: new ChipWidget(meaning, draw, words) })
    drawn.set(meaning, made)
    return made
  }
  const all = EditorView.decorations.compute([marks], (state): DecorationSet =>
    Decoration.set(state.field(marks).filter(isChip).map((held) => decoration(held).range(held.start, held.end))))
  return [all, atoms(marks, (state) => state.field(marks).filter(isChip))]
}

class ChipWidget extends WidgetType {
  constructor(readonly tag: Tag, readonly draw: (tag: Tag, text: string) => HTMLElement, readonly words: Words) {
    super()
  }

  override eq(other: ChipWidget): boolean {
    return other.tag === this.tag
  }

  override toDOM(view: EditorView): HTMLElement {
    const chip = this.draw(this.tag, formOf(this.tag))
    chip.addEventListener("click", () => select(view, chip))
    if (this.tag.removable === false) return chip
    chip.draggable = true
    chip.append(this.#removeButton(view, chip))
    return chip
  }

  /** The mouse is the chip's own, so that it can be dragged; where it is dragged to is the editor's business. */
  override ignoreEvent(event: Event): boolean {
    return !event.type.startsWith("drag") && event.type !== "drop"
  }

  /**
   * For the pointer alone: the keyboard has Backspace, and a button in the text
   * would be in the way of reading it. No button at all, then: a chip is one
   * picture to assistive technology, which may hold nothing to act on.
   */
  #removeButton(view: EditorView, chip: HTMLElement): HTMLElement {
    const button = document.createElement("span")
    button.className = "chip-remove"
    button.ariaHidden = "true"
    button.title = this.words.t("chip.remove", formOf(this.tag))
    button.addEventListener("mousedown", (event) => event.preventDefault()) // the caret stays where it is
    button.addEventListener("click", (event) => {
      event.stopPropagation()
      remove(view, chip, this.words)
    })
    return button
  }
}

function select(view: EditorView, chip: HTMLElement): void {
  const held = chipAt(view, chip)
  if (!held) return
  view.dispatch({ selection: { anchor: held.start, head: held.end }, userEvent: "select.pointer" })
  view.focus()
}

function remove(view: EditorView, chip: HTMLElement, words: Words): void {
  const held = chipAt(view, chip)
  if (!held) return
  view.dispatch({
    changes: { from: held.start, to: held.end },
    effects: say.of(words.t("chip.removed", formOf(held.meaning))),
    annotations: isolateHistory.of("full"),
    userEvent: "delete.chip",
  })
  view.focus()
}
