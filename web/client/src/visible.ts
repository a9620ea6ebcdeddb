/**
 * What a reader sees of a text. The same rules as the server's composer.Visible
 * and composer.ChipOf; one file of vectors holds both to them.
 */

/** Bidi controls, characters without width, tags, controls, line and paragraph separators. ZWNJ and ZWJ stay. */
const deceptive =
  /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E007F}]/gu

/**
 * Characters that alone show nothing: white space, joiners, variation selectors,
 * braille without dots, and Unicode's Other_Default_Ignorable_Code_Point, which
 * regular expressions have no name for. What is spelled out is seen.
 */
const unseen =
  /^[\p{White_Space}\p{Variation_Selector}\u200C\u200D\u2800\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFFF0-\uFFF8\u{E0080}-\u{E00FF}\u{E01F0}-\u{E0FFF}]*$/u

/** Spells hidden and reordering characters out, as ⟨U+202E⟩. */
export function visible(text: string): string {
  return text.replace(deceptive, (found) => `⟨U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`)
}

/** What a reader sees of a text, or "" where that is nothing. */
export function shown(text: string): string {
  return unseen.test(text) ? "" : visible(text)
}
