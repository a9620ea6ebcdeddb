/**
 * Whether the main pointer is a finger. There the keyboard is one on the
 * screen, which always composes and has no Shift+Enter: Enter makes a line,
 * and the button sends.
 */
export function isCoarse(): boolean {
  return matchMedia("(pointer: coarse)").matches
}
