import type { Json } from '@millrace/core/json'

/** A line of a JSON value that is laid out over lines. */
export interface JsonRow {
  /** The way from the top; also what folds it. */
  readonly path: string
  readonly depth: number
  readonly name?: string
  /** The value, or of a closed container how much it holds; of an open one its bracket. */
  readonly text: string
  /** A container that can be folded, and whether it is. */
  readonly fold?: 'open' | 'closed'
}

/** Containers that are deeper, or hold more, are closed at first. */
const OPEN_DEPTH = 2
const MOST_OPEN = 60
/** A longer string is cut. */
const LONGEST_STRING = 2_000

/** A JSON value as lines. `toggled` holds the containers that are not as they are at first. */
export function jsonRows(value: Json, toggled: ReadonlySet<string>): readonly JsonRow[] {
  const rows: JsonRow[] = []
  addValue(rows, value, { path: '', depth: 0 }, toggled)
  return rows
}

type LineHead = Pick<JsonRow, 'path' | 'depth' | 'name'>

function addValue(rows: JsonRow[], value: Json, at: LineHead, toggled: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) {
    rows.push({ ...at, text: scalarText(value) })
    return
  }
  const isList = Array.isArray(value)
  const members: readonly (readonly [name: string, value: Json])[] = isList
    ? value.map((each, index) => [String(index), each] as const)
    : Object.entries(value).filter((each): each is [string, Json] => each[1] !== undefined)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) {
    rows.push({ ...at, text: `${open}${close}` })
    return
  }
  const isOpenAtFirst = at.depth < OPEN_DEPTH && members.length <= MOST_OPEN
  if (isOpenAtFirst === toggled.has(at.path)) {
    rows.push({ ...at, text: `${open} ${sizeText(members.length, isList)} ${close}`, fold: 'closed' })
    return
  }
  rows.push({ ...at, text: open, fold: 'open' })
  for (const [name, member] of members)
    addValue(rows, member, { path: `${at.path}/${name}`, depth: at.depth + 1, name }, toggled)
  rows.push({ path: `${at.path}/`, depth: at.depth, text: close })
}

function sizeText(count: number, isList: boolean): string {
  const [one, many] = isList ? ['item', 'items'] : ['field', 'fields']
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

function scalarText(value: string | number | boolean | null): string {
  if (typeof value !== 'string' || value.length <= LONGEST_STRING) return JSON.stringify(value)
  const more = (value.length - LONGEST_STRING).toLocaleString('en')
  return `${JSON.stringify(value.slice(0, LONGEST_STRING))} … ${more} characters more`
}
