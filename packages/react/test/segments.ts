import type {
  ErrorSegment,
  Folded,
  ReasoningSegment,
  StatusSegment,
  TextSegment,
  TodosSegment,
  ToolSegment,
} from '@millrace/core/fold/shapes'

const START = 1_700_000_000_000

/** The times and entries of a segment; it has ended if `tookMs` is given. */
export function at(seq: number, tookMs?: number): Folded {
  const startedAt = START + seq * 1000
  return { startedAt, seqs: [seq, seq], ...(tookMs !== undefined && { endedAt: startedAt + tookMs }) }
}

export function text(seq: number, content: string, state: TextSegment['state'] = 'done'): TextSegment {
  return { type: 'text', id: `t${seq}`, text: content, state, ...at(seq, state === 'live' ? undefined : 500) }
}

export function thought(seq: number, content: string, tookMs?: number): ReasoningSegment {
  const state = tookMs === undefined ? 'live' : 'done'
  return { type: 'reasoning', id: `r${seq}`, text: content, state, ...at(seq, tookMs) }
}

export function status(seq: number, messages: readonly string[], tookMs?: number): StatusSegment {
  const times = at(seq, tookMs)
  const lines = messages.map((message, index) => ({
    message,
    level: 'info' as const,
    at: times.startedAt + index * 900,
  }))
  return { type: 'status', lines, ...times }
}

export function tool(seq: number, name: string, fields: Partial<ToolSegment> = {}): ToolSegment {
  const hasEnded = ['done', 'failed', 'denied', 'cancelled'].includes(fields.state ?? 'done')
  return {
    type: 'tool',
    callId: `c${seq}`,
    name,
    runBy: 'agent',
    state: 'done',
    ...at(seq, hasEnded ? 400 : undefined),
    ...fields,
  }
}

export function todos(seq: number, statuses: readonly TodosSegment['items'][number]['status'][]): TodosSegment {
  const items = statuses.map((state, index) => ({ id: String(index), content: `Step ${index + 1}`, status: state }))
  return { type: 'todos', listId: 'list', items, ...at(seq, 0) }
}

export function error(seq: number, message: string): ErrorSegment {
  return { type: 'error', message, ...at(seq, 0) }
}
