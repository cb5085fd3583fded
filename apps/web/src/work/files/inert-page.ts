/** Nothing but styles and images that the page itself holds. */
const POLICY = "default-src 'none'; img-src data:; style-src data:"

/**
 * A page that an agent wrote, for a frame without any permission. The policy stands before anything of it: whatever the page says
 * of a policy can only forbid more. Links open in another tab, which a frame without permission may not do.
 *
 * The policy of the app holds in the frame, too, and allows no inline styles. So the page's own become style sheets in addresses; what
 * is not found by the search for them is unstyled, and nothing else.
 */
export function inertPage(html: string): string {
  const head = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  return `${head}<meta name="color-scheme" content="only light"><base target="_blank">${withSheets(html)}`
}

function withSheets(html: string): string {
  const rules: string[] = []
  const body = outsideOfStyles(html, (markup) => markup.replace(TAG, (tag) => withoutStyle(tag, rules)))
  return rules.length === 0 ? body : `${body}${sheetOf(rules.join('\n'))}`
}

const TAG = /<[a-z][^<>]*>/gi
const STYLE = /\sstyle\s?=\s?("[^"]*"|'[^']*')/i
const BEGINNING = '<style'
const END = '</style'

/** A tag whose declarations are a rule of their own, which precedes those of every sheet as if they stood in the tag. */
function withoutStyle(tag: string, rules: string[]): string {
  return tag.replace(STYLE, (_whole, quoted: string) => {
    const declarations = quoted.slice(1, -1).replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    return ` data-inert="${rules.push(`[data-inert="${rules.length}"]:not(#i#i#i#i){${declarations}}`) - 1}"`
  })
}

/** The text with its style elements as style sheets; `change` gets what is between them. */
function outsideOfStyles(html: string, change: (markup: string) => string): string {
  const lower = html.toLowerCase()
  let [changed, at] = ['', 0]
  for (;;) {
    const begins = lower.indexOf(BEGINNING, at)
    const opens = begins === -1 ? -1 : lower.indexOf('>', begins)
    const ends = opens === -1 ? -1 : lower.indexOf(END, opens)
    const closes = ends === -1 ? -1 : lower.indexOf('>', ends)
    if (closes === -1) return changed + change(html.slice(at))
    changed += change(html.slice(at, begins)) + sheetOf(html.slice(opens + 1, ends))
    at = closes + 1
  }
}

const sheetOf = (css: string) => `<link rel="stylesheet" href="data:text/css;charset=utf-8,${encoded(css)}">`

/** Half of a character pair has no encoding. */
const encoded = (css: string) => encodeURIComponent(css.toWellFormed()).replaceAll("'", '%27')
