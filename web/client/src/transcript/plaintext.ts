const skipped = "button, svg, style, script, template, [hidden], .vh"
const blocks = new Set(
  "P DIV H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD BLOCKQUOTE PRE TABLE THEAD TBODY TFOOT TR HR FIGURE DETAILS SUMMARY SECTION".split(" "),
)

/** The text of an answer as a person would write it down: paragraphs, lists, code with its line breaks, table cells by tabs. */
export function plainText(root: Element): string {
  return paragraphs(root).join("\n\n")
}

/** The blocks of an element, each as text. */
function paragraphs(parent: Element): string[] {
  const found: string[] = []
  let line = ""
  const end = (): void => {
    const text = line.replace(/ *\n */g, "\n").trim()
    if (text !== "") found.push(text)
    line = ""
  }
  for (const node of parent.childNodes) {
    if (!(node instanceof Element)) {
      line += inline(node)
    } else if (node.matches(skipped)) {
      continue
    } else if (blocks.has(node.tagName) || node.querySelector(":scope > :is(p, div, pre, ul, ol, table)")) {
      end()
      const text = block(node)
      if (text !== "") found.push(text)
    } else {
      line += inline(node)
    }
  }
  end()
  return found
}

function block(element: Element): string {
  switch (element.tagName) {
    case "PRE":
      return (element.textContent ?? "").replace(/\n$/, "")
    case "HR":
      return "---"
    case "UL":
    case "OL":
      return list(element)
    case "TABLE":
      return [...element.querySelectorAll("tr")].map(row).join("\n")
    case "BLOCKQUOTE":
      return paragraphs(element).join("\n\n").replace(/^/gm, "> ")
    default:
      // Source text of a block that is still being written.
      if (element.matches("[data-plain]")) return element.textContent ?? ""
      return paragraphs(element).join("\n\n")
  }
}

function list(element: Element): string {
  let number = Number(element.getAttribute("start") ?? 1)
  const items: string[] = []
  for (const item of element.children) {
    const mark = element.tagName === "OL" ? `${number++}. ` : "- "
    const indent = " ".repeat(mark.length)
    items.push(mark + paragraphs(item).join("\n").replace(/\n/g, "\n" + indent))
  }
  return items.join("\n")
}

function row(element: Element): string {
  return [...element.children].map((cell) => paragraphs(cell).join(" ")).join("\t")
}

/** Text within a line. */
function inline(node: Node): string {
  if (!(node instanceof Element)) return node instanceof Text ? node.data.replace(/\s+/g, " ") : ""
  if (node.matches(skipped)) return ""
  if (node.tagName === "BR") return "\n"
  if (node instanceof HTMLImageElement) return node.alt
  if (node instanceof HTMLInputElement) return node.checked ? "[x]" : "[ ]"
  return [...node.childNodes].map(inline).join("")
}
