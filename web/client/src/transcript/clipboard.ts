/**
 * Puts text on the clipboard, within a person's click. Over plain http there is
 * no navigator.clipboard; then the document's own copy command does it. Resolves
 * to whether it worked.
 */
export async function writeClipboard(text: string, document: Document): Promise<boolean> {
  const clipboard = globalThis.isSecureContext ? navigator.clipboard : undefined
  if (clipboard) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // Not allowed here, in a frame for one: the command may be.
    }
  }
  return copyByCommand(text, document)
}

/** Copies with a selection of its own, and gives the person theirs back. */
function copyByCommand(text: string, document: Document): boolean {
  const focused = document.activeElement
  const selection = document.getSelection()
  const ranges = selection ? Array.from({ length: selection.rangeCount }, (_, i) => selection.getRangeAt(i)) : []
  const area = document.createElement("textarea")
  Object.assign(area.style, { position: "fixed", insetBlockStart: "0", opacity: "0", fontSize: "16px" }) // no zoom on phones
  area.value = text
  area.readOnly = true // no soft keyboard
  document.body.append(area)
  // A textarea turns line breaks into its own; the event carries the text as it is.
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener("copy", give, { capture: true })
  try {
    area.select()
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    document.removeEventListener("copy", give, { capture: true })
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    selection?.removeAllRanges()
    for (const range of ranges) selection?.addRange(range)
  }
}
