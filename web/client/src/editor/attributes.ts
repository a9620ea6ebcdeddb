/** What the textarea says about itself, for the element that takes its place. */
export function attributesOf(textarea: HTMLTextAreaElement): Record<string, string> {
  const attributes: Record<string, string> = {
    role: "textbox",
    "aria-multiline": "true",
    "aria-autocomplete": "list",
    "aria-label": textarea.labels[0]?.textContent?.trim() ?? textarea.ariaLabel ?? "",
    // CodeMirror turns these off; a message is prose, and they are the browser's business.
    spellcheck: textarea.getAttribute("spellcheck") ?? "true",
    autocorrect: textarea.getAttribute("autocorrect") ?? "on",
    autocapitalize: textarea.getAttribute("autocapitalize") ?? "sentences",
    writingsuggestions: textarea.getAttribute("writingsuggestions") ?? "true",
  }
  for (const name of ["aria-describedby", "enterkeyhint"]) {
    const value = textarea.getAttribute(name)
    if (value) attributes[name] = value
  }
  if (textarea.id) attributes["id"] = textarea.id
  return attributes
}
