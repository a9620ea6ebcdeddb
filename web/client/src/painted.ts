/** Resolves once the page has been painted; at once where nobody looks, since hidden pages are not. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === "hidden") resolve()
    else requestAnimationFrame(() => setTimeout(resolve)) // callbacks come before the paint, what they put off after it
  })
}
