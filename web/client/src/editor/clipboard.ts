import type { EditorState, Extension } from "@codemirror/state"
import { EditorView, ViewPlugin } from "@codemirror/view"
import { marksWithin, type Draft } from "../message.ts"
import { insertion } from "./insert.ts"
import { marksOf } from "./marks.ts"
import { payloadOf, payloadType, readPayload } from "./payload.ts"

/** Copies, cuts and pastes text exactly, with its chips. HTML is never read, files are left to others. */
export const clipboard: Extension = [
  EditorView.domEventHandlers({
    copy: (event, view) => copy(event, view),
    cut: (event, view) => copy(event, view) && cut(view),
    paste: (event, view) => event.clipboardData !== null && paste(event.clipboardData, view),
  }),
  // CodeMirror would copy or cut the line that the caret is in.
  ViewPlugin.define((view) => {
    const stop = new AbortController()
    const keep = (event: Event): void => {
      if (view.state.selection.main.empty) event.stopPropagation()
    }
    for (const type of ["copy", "cut"]) view.dom.addEventListener(type, keep, { capture: true, signal: stop.signal })
    return { destroy: () => stop.abort() }
  }),
]

/** The part of the document from..to as a message of its own. */
export function pieceOf(state: EditorState, from: number, to: number): Draft {
  return { text: state.sliceDoc(from, to), tags: marksWithin(marksOf(state), from, to) }
}

/** Puts a piece on the clipboard, or into what is dragged. */
export function give(data: DataTransfer, piece: Draft): void {
  data.setData("text/plain", piece.text)
  const payload = payloadOf(piece)
  if (payload !== null) data.setData(payloadType, payload)
}

/** Reads the piece that is pasted or dropped; null where there is no text. */
export function take(data: DataTransfer): Draft | null {
  const plain = data.getData("text/plain") || data.getData("text/uri-list")
  return plain === "" ? null : readPayload(plain, data.getData(payloadType), isWindows())
}

function isWindows(): boolean {
  return /^Win/.test(navigator.platform)
}

function copy(event: ClipboardEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main
  if (!event.clipboardData || from === to) return false
  event.clipboardData.clearData()
  give(event.clipboardData, pieceOf(view.state, from, to))
  return true
}

function cut(view: EditorView): boolean {
  const { from, to } = view.state.selection.main
  view.dispatch({ changes: { from, to }, userEvent: "delete.cut", scrollIntoView: true })
  return true
}

function paste(data: DataTransfer, view: EditorView): boolean {
  const piece = take(data)
  if (!piece) return false
  const { from, to } = view.state.selection.main
  view.dispatch(insertion(view.state, from, to, piece, "input.paste"))
  return true
}
