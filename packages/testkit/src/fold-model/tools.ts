import type { EventOf, StreamEvent } from '@millrace/core/events'
import { toolCodeOf } from '@millrace/core/fold'

type Shape = { readonly [field: string]: unknown }

const AFTER_OUTPUT = { ok: 'done', error: 'failed', denied: 'denied', cancelled: 'cancelled' } as const
const AFTER_ANSWER = {
  requested: 'approval',
  approved: 'running',
  answered: 'running',
  denied: 'denied',
  expired: 'cancelled',
} as const

/** The segment of a call, as it is at the end. */
export function modelTool(events: readonly StreamEvent[], start: EventOf<'tool-start'>): Shape {
  const own = events.filter((event) => 'callId' in event && event.callId === start.callId)
  const input = own.find((event) => event.type === 'tool-input')
  const output = own.find((event) => event.type === 'tool-output')
  const drawn = own.findLast(({ type }) => type === 'subagent-start' || type === 'todos')
  const { name, title, runBy, server, parentCallId, callId } = start
  return {
    ...{ type: 'tool', callId, name, title, runBy, server, parentCallId },
    state: output === undefined ? openState(own) : AFTER_OUTPUT[output.status],
    input: input?.input,
    inputText: input?.text,
    approval: approvalOf(own),
    progress: reportsOf(own),
    output: output?.output,
    error: output?.error ?? input?.error,
    language: input?.input === undefined ? undefined : toolCodeOf({ name, input: input.input })?.language,
    shownAs: isAnswered(events, start) ? 'answer' : drawn && (drawn.type === 'todos' ? 'todos' : 'subagent'),
  }
}

/** Whether a final step of the main agent repeats what its last call of this name has answered. */
function isAnswered(events: readonly StreamEvent[], { callId }: EventOf<'tool-start'>): boolean {
  const main = events.filter(({ agentId }) => agentId === undefined)
  return main.some((event, at) => {
    if (event.type !== 'step-start' || event.kind !== 'final') return false
    const before = main.slice(0, at)
    const last = before.findLast((other) => other.type === 'tool-start' && other.name === 'final_answer')
    const isDone = before.some(
      (other) => other.type === 'tool-output' && other.callId === callId && other.status === 'ok',
    )
    return last?.type === 'tool-start' && last.callId === callId && isDone
  })
}

function openState(own: readonly StreamEvent[]): string {
  const last = own.findLast(({ type }) => type === 'approval' || type === 'tool-progress')
  if (last?.type === 'approval' && last.reason !== 'went-on') return AFTER_ANSWER[last.state]
  return last === undefined ? 'ready' : 'running'
}

/** The last question with its answer. What an earlier question said does not belong to it. */
function approvalOf(own: readonly StreamEvent[]): Shape | undefined {
  const asked = own.findLastIndex((event) => event.type === 'approval' && event.state === 'requested')
  const since = own.slice(asked).filter((event) => event.type === 'approval')
  if (asked === -1) return undefined
  return Object.assign(
    {},
    ...since.map(({ approvalId, state, message, request, answer, reason, remember, input }) => {
      const fields = { message, request, answer, reason, remember, input }
      const given = Object.entries(fields).filter(([, value]) => value !== undefined)
      return { approvalId, state, ...Object.fromEntries(given) }
    }),
  )
}

/** Lines of one channel that follow each other are one report, with the last percentage. */
function reportsOf(own: readonly StreamEvent[]): readonly Shape[] | undefined {
  const reports: { channel: string; text?: string; data?: unknown; percent?: number }[] = []
  for (const event of own) {
    if (event.type !== 'tool-progress') continue
    const { channel, text, data, percent } = event
    const last = reports.at(-1)
    if (last?.text !== undefined && last.channel === channel && text !== undefined && data === undefined) {
      last.text += text
      delete last.data
      if (percent !== undefined) last.percent = percent
    } else reports.push(JSON.parse(JSON.stringify({ channel, text, data, percent })))
  }
  return reports.length === 0 ? undefined : reports
}
