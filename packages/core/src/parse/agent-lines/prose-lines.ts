import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import { type Handlers, SILENT } from '../parser.ts'
import type { ProseLine, StatusLine } from './lines.ts'
import type { Seen } from './seen.ts'

export function proseLines(seen: Seen): Handlers<ProseLine> {
  return {
    text: ({ data }) => prose('text', data.content),
    delta: ({ data }) => prose('text', data.content),
    content: ({ data }) => prose('text', data.text),
    thinking: ({ data }) => prose('reasoning', wholeLine(data.content), 'thinking'),
    think({ data }) {
      const thought = prose('reasoning', wholeLine(data.thought), 'think-tool')
      if (!data.id || !seen.isOpen(data.id)) return thought
      return [{ type: 'tool-input', callId: data.id, input: { thought: data.thought } }, ...thought]
    },
  }
}

/** Each line is one thought, with or without a newline at its end. */
function wholeLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

export const statusLines: Handlers<StatusLine> = {
  status: ({ data }) => (data.message === '' ? SILENT : [{ type: 'status', message: data.message, level: 'info' }]),
  warning: ({ data }) => (data.message === '' ? SILENT : [{ type: 'status', message: data.message, level: 'warn' }]),
  search_corrected: ({ data }) => [
    { type: 'status', message: 'Search corrected: '.concat(data.query.trim()), level: 'info' },
  ],
}

/** The id of a block that a line implies: `createJoin` replaces it. */
const IMPLICIT = ''

/** The text of a line as a block. Returns `SILENT` for empty text. */
function prose(kind: BlockKind, text: string, variant?: BlockVariant): readonly StreamEvent[] {
  if (text === '') return SILENT
  return [
    { type: 'block-start', blockId: IMPLICIT, kind, ...(variant !== undefined && { variant }) },
    { type: 'block-delta', blockId: IMPLICIT, text },
  ]
}

/** Events that are not drawn, or belong to something that is: any other event closes the open block. */
const NOT_DRAWN: ReadonlySet<StreamEvent['type']> = new Set<StreamEvent['type']>([
  ...(['run-start', 'message-end', 'message-retract', 'step-end', 'block-delta', 'block-patch', 'block-end'] as const),
  ...(['tool-input-delta', 'tool-progress', 'approval', 'usage', 'state', 'metadata', 'control', 'raw'] as const),
])

/** Joins consecutive blocks of one kind, and closes a block when anything else is drawn. */
export function createJoin(): (events: readonly StreamEvent[]) => Out {
  let count = 0
  let open: BlockKind | undefined

  function close(out: Out): void {
    if (open !== undefined) out.push({ type: 'block-end', blockId: `b${count}` })
    open = undefined
  }

  return (events) => {
    const out: Out = []
    for (const event of events) {
      const isImplicit = 'blockId' in event && event.blockId === IMPLICIT
      const isContinued = isImplicit && event.type === 'block-start' && event.kind === open
      if (isContinued) continue
      if (!NOT_DRAWN.has(event.type)) close(out)
      if (isImplicit && event.type === 'block-start') {
        open = event.kind
        count++
      }
      out.push(isImplicit ? { ...event, blockId: `b${count}` } : event)
    }
    return out
  }
}
