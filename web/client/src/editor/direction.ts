import { RangeSetBuilder, type Extension } from "@codemirror/state"
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view"

const auto = Decoration.line({ attributes: { dir: "auto" } })

/** Lets each line go in the direction of its own text, as dir=auto does for a textarea. */
export const directions: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(class {
    lines: DecorationSet

    constructor(view: EditorView) {
      this.lines = linesOf(view)
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged || update.heightChanged) this.lines = linesOf(update.view)
    }
  }, { decorations: (plugin) => plugin.lines }),
]

function linesOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at)
      builder.add(line.from, line.from, auto)
      at = line.to + 1
    }
  }
  return builder.finish()
}
