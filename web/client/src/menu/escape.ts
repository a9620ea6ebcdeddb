/** Takes out the backslashes that a path is escaped with. At the end a single one stands for itself. */
export function unescape(text: string): string {
  return text.replace(/\\(.)/gsu, "$1")
}
