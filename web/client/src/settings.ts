/** What htmx tells of a request. */
interface RequestContext {
  request?: { body?: unknown }
  response?: { status: number }
}

/** Messages that only this page knows of: they would not outlive a reload. */
const unsent = '.mine:is([data-state="sending"], [data-state="failed"])'

/**
 * Shows a choice of theme or language at once, where htmx sends it. Another
 * language needs the page anew, once beforeReload has called back; while messages
 * are not sent the page stays, and speaks it from the next one on.
 */
export function followSettings(document: Document, beforeReload: (f: () => void) => void): void {
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
    const { request, response } = (event as CustomEvent<{ ctx?: RequestContext }>).detail.ctx ?? {}
    // What was sent, not what is chosen by now: that is on its way.
    const language = request?.body instanceof URLSearchParams ? request.body.get("lang") : null
    if (response?.status !== 204 || !language || language === root.lang) return
    beforeReload(() => document.querySelector(unsent) || location.reload())
  })
}
