/**
 * Whoever types while nothing on the page has the focus writes a message: the
 * message box takes the focus before the character comes. Space scrolls, as
 * everywhere. On load nothing has the focus, so that a keyboard's first Tab
 * leads to the way past the list of sessions.
 */
export function typeAnywhere(document: Document, focusMessage: () => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (document.activeElement !== null && document.activeElement !== document.body) return
    // An input method begins with a key that it calls "Process", or with code 229.
    if ([...event.key].length === 1 ? event.key !== " " : event.keyCode === 229) focusMessage()
  })
}
