import type { Entry } from '@millrace/core/events'
import type { TraceRow } from '@millrace/core/lens'

/** What the trace draws: a row, or a line that opens rows that are left out. */
export type TraceItem =
  | { readonly kind: 'row'; readonly key: string; readonly row: TraceRow }
  | {
      readonly kind: 'fold'
      readonly key: string
      readonly count: number
      /** The length of the deltas that are left out; absent: they are rows of other pieces. */
      readonly bytes?: number
      readonly isOwn: boolean
    }

/** So many deltas are shown before the rest is left out, and so many rows of other pieces at each end. */
const FIRST_DELTAS = 4
const BESIDE = 2
/** Fewer than these are not worth a line. */
const LEAST_FOLDED = 3

const encoder = new TextEncoder()

/** Rows, without most of the deltas that follow each other and most rows of other pieces. `kept` is never left out. */
export function traceItems(
  rows: readonly TraceRow[],
  opened: ReadonlySet<string>,
  kept: number | undefined,
): readonly TraceItem[] {
  const items: TraceItem[] = []
  let at = 0
  while (at < rows.length) {
    const kind = kindOf(rows[at] as TraceRow)
    let end = at + 1
    while (end < rows.length && kindOf(rows[end] as TraceRow) === kind) end++
    addStretch(items, rows.slice(at, end), { kind, isFirst: at === 0, isLast: end === rows.length }, opened, kept)
    at = end
  }
  return items
}

type Kind = 'delta' | 'own' | 'other'

const kindOf = ({ isOwn, entry }: TraceRow): Kind =>
  !isOwn ? 'other' : entry?.event.type.endsWith('-delta') ? 'delta' : 'own'

interface Stretch {
  readonly kind: Kind
  readonly isFirst: boolean
  readonly isLast: boolean
}

function addStretch(
  items: TraceItem[],
  rows: readonly TraceRow[],
  { kind, isFirst, isLast }: Stretch,
  opened: ReadonlySet<string>,
  kept: number | undefined,
): void {
  const before = kind === 'delta' ? FIRST_DELTAS : isFirst ? 0 : BESIDE
  const after = kind === 'delta' || isLast ? 0 : BESIDE
  const folded = kind === 'own' ? [] : rows.slice(before, rows.length - after)
  const key = `fold ${keyOfRow(folded[0] ?? { isOwn: false })}`
  const isKept = folded.some(({ entry }) => entry !== undefined && entry.seq === kept)
  if (folded.length < LEAST_FOLDED || opened.has(key) || isKept || (kind === 'other' && (isFirst || isLast))) {
    for (const row of rows) items.push({ kind: 'row', key: keyOfRow(row), row })
    return
  }
  for (const row of rows.slice(0, before)) items.push({ kind: 'row', key: keyOfRow(row), row })
  const bytes = folded.reduce((sum, { entry }) => sum + encoder.encode(deltaOf(entry)).length, 0)
  items.push({ kind: 'fold', key, count: folded.length, isOwn: kind === 'delta', ...(kind === 'delta' && { bytes }) })
  for (const row of rows.slice(rows.length - after)) items.push({ kind: 'row', key: keyOfRow(row), row })
}

const keyOfRow = ({ entry, record }: TraceRow) => (entry === undefined ? `record ${record}` : `entry ${entry.seq}`)

/** The text of a delta. */
function deltaOf(entry: Entry | undefined): string {
  const event = entry?.event
  return event?.type.endsWith('-delta') && 'text' in event ? (event.text ?? '') : ''
}

/** An event without its type, as the trace shows it: of a delta only its text. */
export function textOfEntry({ event }: Entry, isWhole: boolean): string {
  const { type, ...fields } = event
  if (!isWhole && type.endsWith('-delta') && 'text' in fields) return JSON.stringify(fields.text)
  return JSON.stringify(fields)
}

/** The entry that says most of a piece: the last that is not only an end. */
export function mainEntry(entries: readonly Entry[], own: readonly number[]): number | undefined {
  const isContent = (seq: number) => !/-(?:end|start)$/.test(entries[seq - 1]?.event.type ?? '')
  return own.findLast(isContent) ?? own.at(-1)
}

/** How long after the first entry of a piece an entry was made: on the clock of the stream if both have its time. */
export function delayOf(first: Entry | undefined, entry: Entry): number | undefined {
  if (first === undefined) return undefined
  const [began, now] = [first.event.sentAt, entry.event.sentAt]
  if (began === undefined) return entry.at - first.at
  return now === undefined ? undefined : now - began
}
