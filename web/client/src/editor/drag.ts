import { isolateHistory } from "@codemirror/commands"
import { EditorSelection, type Extension } from "@codemirror/state"
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view"
import { chipAt } from "./chips.ts"
import { give, pieceOf, take } from "./clipboard.ts"
import { insertion, movedBy } from "./insert.ts"
import { addMark, marks } from "./marks.ts"

interface Range {
  from: number
  to: number
}

/** Drags text and chips: within the message they move with all they are, from outside they come as a paste does. */
export const dragging: Extension = ViewPlugin.fromClass(class {
  /** What is being dragged out of this message. */
  dragged: Range | null = null

  update({ docChanged, changes }: ViewUpdate): void {
    if (docChanged && this.dragged) this.dragged = { from: changes.mapPos(this.dragged.from, 1), to: changes.mapPos(this.dragged.to, -1) }
  }
}, {
  eventHandlers: {
    dragstart(event, view) {
      this.dragged = draggedRange(event, view)
      if (event.dataTransfer) give(event.dataTransfer, pieceOf(view.state, this.dragged.from, this.dragged.to))
      return false // CodeMirror does the rest
    },
    dragend() {
      this.dragged = null
      return false
    },
    drop(event, view) {
      const { dragged } = this
      this.dragged = null
      return drop(event, view, dragged)
    },
  },
})

/** A chip that is not selected is dragged alone. */
function draggedRange(event: DragEvent, view: EditorView): Range {
  const { from, to } = view.state.selection.main
  const chip = event.target instanceof Element ? chipAt(view, event.target) : null
  return chip && (chip.start >= to || chip.end <= from) ? { from: chip.start, to: chip.end } : { from, to }
}

function drop(event: DragEvent, view: EditorView, dragged: Range | null): boolean {
  const data = event.dataTransfer
  if (!data) return false
  if (data.files.length > 0) return true // left to others; CodeMirror would write the file's text
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
  if (dragged && moves(event)) move(view, dragged, at)
  else {
    const piece = take(data)
    if (!piece) return false
    view.dispatch(insertion(view.state, at, at, piece, "input.drop"))
  }
  view.focus()
  return true
}

/** The key that makes a drag copy. */
function moves(event: DragEvent): boolean {
  return /^Mac/.test(navigator.platform) ? !event.altKey : !event.ctrlKey
}

function move(view: EditorView, { from, to }: Range, at: number): void {
  if (at >= from && at <= to) return
  const changes = view.state.changes([{ from, to }, { from: at, insert: view.state.doc.slice(from, to) }])
  const start = changes.mapPos(at, -1)
  const inside = view.state.field(marks).filter((held) => held.start >= from && held.end <= to)
  view.dispatch({
    changes,
    selection: EditorSelection.single(start, start + to - from),
    effects: inside.map((held) => addMark.of(movedBy(held, start - from))),
    annotations: isolateHistory.of("full"),
    userEvent: "move.drop",
    filter: false, // a chip that may not be deleted may be moved
  })
}
