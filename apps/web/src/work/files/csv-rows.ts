export interface CsvRows {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How many rows there are, besides the head. */
  readonly count: number
}

/** The first rows of a table of comma-separated values. Quotes may hold commas, breaks and doubled quotes. */
export function csvRows(text: string, most: number): CsvRows {
  const rows: string[][] = []
  let count = 0
  let row: string[] = []
  const keep = () => {
    if (row.length > 1 || row[0] !== '') {
      if (count <= most) rows.push(row)
      count++
    }
    row = []
  }
  for (let at = 0; at < text.length; ) {
    const { value, end } = cellAt(text, at)
    row.push(value)
    at = end + 1
    if (text[end] === ',') {
      if (at >= text.length) row.push('')
      continue
    }
    if (text[end] === '\r' && text[end + 1] === '\n') at++
    keep()
  }
  if (row.length > 0) keep()
  const [head = [], ...others] = rows
  return { head, rows: others, count: Math.max(0, count - 1) }
}

/** A value, and where it ends: at a comma, at a break, or at the end of the text. */
function cellAt(text: string, start: number): { readonly value: string; readonly end: number } {
  if (text[start] !== '"') {
    const rest = /[,\r\n]/g
    rest.lastIndex = start
    const end = rest.exec(text)?.index ?? text.length
    return { value: text.slice(start, end), end }
  }
  let value = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { value: value + text.slice(at), end: text.length }
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    at = quote + 2
  }
}
