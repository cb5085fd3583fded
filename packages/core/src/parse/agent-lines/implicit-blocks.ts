import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { SILENT } from '../parser.ts'

/** The id of a block that a line implies: `join` replaces it. */
const IMPLICIT = ''

/** The text of a line as a block. Returns `SILENT` for empty text. */
export function prose(kind: BlockKind, text: string, variant?: BlockVariant): readonly StreamEvent[] {
  if (text === '') return SILENT
  return [
    { type: 'block-start', blockId: IMPLICIT, kind, ...(variant !== undefined && { variant }) },
    { type: 'block-delta', blockId: IMPLICIT, text },
  ]
}

/** Events that are drawn beside blocks and therefore close the open one. */
const closingTypes: ReadonlySet<string> = new Set([
  'status',
  'tool-start',
  'tool-input',
  'tool-output',
  'source',
  'file',
  'data',
  'todos',
  'subagent-start',
  'subagent-end',
  'message-start',
  'step-start',
  'block-start',
  'error',
  'run-end',
])

export interface Blocks {
  /** The number of blocks so far; the id of the last one contains it. */
  readonly count: number
  readonly open: BlockKind | undefined
}

/** Joins consecutive blocks of one kind, and closes a block when anything else is drawn. */
export function join(
  events: readonly StreamEvent[],
  before: Blocks,
): { events: readonly StreamEvent[]; blocks: Blocks } {
  const joined: StreamEvent[] = []
  let { count, open } = before

  function close(): void {
    if (open !== undefined) joined.push({ type: 'block-end', blockId: `b${count}` })
    open = undefined
  }

  for (const event of events) {
    if (event.type === 'block-start' && event.blockId === IMPLICIT) {
      if (event.kind === open) continue
      close()
      open = event.kind
      joined.push({ ...event, blockId: `b${++count}` })
    } else if (event.type === 'block-delta' && event.blockId === IMPLICIT) {
      joined.push({ ...event, blockId: `b${count}` })
    } else {
      if (closingTypes.has(event.type)) close()
      joined.push(event)
    }
  }
  return { events: joined, blocks: { count, open } }
}
