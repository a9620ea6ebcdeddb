/** What htmx tells of a request. */
interface RequestContext {
  response?: { status: number }
}

/** Messages that only this page knows of: they would not outlive a reload. */
const unsent = '.mine:is([data-state="sending"], [data-state="failed"])'

/**
 * Shows a choice of theme or language at once, where htmx sends it. Another
 * language needs the page anew; while messages are not sent the page stays, and
 * speaks it from the next one on.
 */
export function followSettings(document: Document): void {
  const form = document.getElementById("settings") as HTMLFormElement | null
  if (!form) return
  const root = document.documentElement
  form.addEventListener("change", () => {
    const theme = String(new FormData(form).get("theme") ?? "")
    if (theme === "") delete root.dataset["theme"]
    else root.dataset["theme"] = theme
    document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme || "light dark")
  })
  form.addEventListener("htmx:after:request", (event) => {
    const { response } = (event as CustomEvent<{ ctx?: RequestContext }>).detail.ctx ?? {}
    const language = String(new FormData(form).get("lang") ?? "")
    if (response?.status === 204 && language !== root.lang && !document.querySelector(unsent)) location.reload()
  })
}
