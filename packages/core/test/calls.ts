import type { ChatEvent, Segment, ToolSegment } from '../src/fold/shapes.ts'
import type { Json } from '../src/json.ts'

let count = 0

/** A call that has ended, by default well. */
export function call(name: string, input: Json, more: Partial<ToolSegment> = {}): ToolSegment {
  count++
  const seqs = [0, 0] as const
  return {
    type: 'tool',
    callId: `c${count}`,
    name,
    runBy: 'agent',
    state: 'done',
    input,
    startedAt: 1,
    endedAt: 2,
    seqs,
    ...more,
  }
}

export const claude = (result: Json): Partial<ToolSegment> => ({ meta: { claude: { tool_use_result: result } } })

/** Calls without entries of their own get them here: each follows the one before it. */
export function chat(...segments: readonly Segment[]): readonly ChatEvent[] {
  segments.forEach((segment, index) => {
    if (segment.seqs[1] === 0) Object.assign(segment, { seqs: [index * 10 + 2, index * 10 + 8] })
  })
  return [{ id: 'run/m', runId: 'run', role: 'assistant', state: 'done', segments, startedAt: 1, seqs: [1, 9_999] }]
}
