import type { EventOf, StreamEvent } from '@millrace/core/events'
import { isText } from '@millrace/core/json'
import { createTodoLines, subagentEndLine, subagentStartLine } from '@millrace/core/meaning/activity-lines'
import { endOf, type PublicRun } from '@millrace/testkit/public-run'
import { assistantEvents } from '@millrace/testkit/public-values'

const ANSWERS: { readonly [State in EventOf<'approval'>['state']]: string } = {
  requested: 'Waiting for an answer.',
  approved: 'Approved.',
  denied: 'Denied.',
  answered: 'Answered.',
  expired: 'Nobody answered.',
}

/** What a person should see that is no message of the protocol, a line each. */
export function linesIn(run: PublicRun): readonly string[] {
  const { entries } = run
  const todoLines = createTodoLines()
  const others = new Map(
    run.parts.flatMap(({ segment, message: { role } }) =>
      segment.type === 'text' && (role === 'system' || role === 'tool') ? [[segment.id, segment.text]] : [],
    ),
  )
  const names = new Map<string, string>()
  const sourceIds = new Set<string>()
  const rows: { readonly [type: string]: (event: never) => string } = {
    'block-start': ({ blockId }: EventOf<'block-start'>) => others.get(blockId) ?? '',
    todos: (event: EventOf<'todos'>) => joined(...todoLines(event)),
    status: ({ message }: EventOf<'status'>) => message,
    source({ sourceId, title, url, snippet }: EventOf<'source'>) {
      if (sourceIds.has(sourceId)) return ''
      sourceIds.add(sourceId)
      return joined(title, url, snippet)
    },
    file: fileLine,
    approval: ({ state, message }: EventOf<'approval'>) => (state === 'requested' && message) || ANSWERS[state],
    'subagent-start'(event: EventOf<'subagent-start'>) {
      names.set(event.agentId, event.name)
      return subagentStartLine(event)
    },
    'subagent-end': ({ agentId, status, summary }: EventOf<'subagent-end'>) =>
      subagentEndLine(names.get(agentId) ?? agentId, status, summary),
  }
  const events = entries.map(({ event }) => event)
  const waiting = filesOfFinalSteps(events)
  const { file: answer } = answerOf(run)
  const lines = events
    .filter((event) => event.type !== 'file' || !waiting.includes(event))
    .map((event) => rows[event.type]?.(event as never) ?? '')
  lines.push(...waiting.filter((file) => file !== answer).map(fileLine))
  if (endOf(run).outcome === 'awaiting-input') lines.push(ANSWERS.requested)
  return lines.filter((line) => line !== '')
}

const joined = (...lines: readonly (string | undefined)[]) => lines.filter(Boolean).join('\n')

const fileLine = ({ filename, mediaType, url }: EventOf<'file'>) => joined(filename ?? mediaType, url)

/** The main agent's files in final steps. They wait for the end of the run, because the last one may be the answer. */
function filesOfFinalSteps(events: readonly StreamEvent[]): readonly EventOf<'file'>[] {
  let kind: string | undefined
  return events.flatMap((event) => {
    if (event.agentId !== undefined) return []
    if (event.type === 'step-start') kind = event.kind
    if (event.type === 'step-end') kind = undefined
    return event.type === 'file' && kind === 'final' ? [event] : []
  })
}

/** What a run that has succeeded without a text at its end answers with: the file of its final step, or its result. */
export function answerOf(run: PublicRun): { readonly file?: EventOf<'file'>; readonly result?: string } {
  const { outcome, result } = endOf(run)
  if (outcome !== 'success' || endsWithText(run)) return {}
  const file = filesOfFinalSteps(run.entries.map(({ event }) => event)).at(-1)
  if (file !== undefined) return { file }
  return result === undefined || result === null || isText(result) ? {} : { result: JSON.stringify(result) }
}

/** Whether the last thing that the main agent began is a text that may be the answer. */
function endsWithText({ entries }: PublicRun): boolean {
  const own = new Set(assistantEvents(entries))
  let step: string | undefined
  let candidate: string | undefined
  let text = ''
  for (const { event } of entries) {
    if (begins(event)) candidate = undefined
    if (event.agentId === undefined && event.type === 'step-start') step = event.kind
    if (event.agentId === undefined && event.type === 'step-end') step = undefined
    if (event.type === 'block-start' && own.has(event) && mayAnswer(event) && step !== 'planning') {
      candidate = event.blockId
      text = ''
    }
    if (!('blockId' in event) || event.blockId !== candidate) continue
    if (event.type === 'block-delta') text += event.text
    if (event.type === 'block-patch') text = event.text ?? text
    // A text that is empty at its end is no answer, even if it is corrected later.
    if (event.type === 'block-end' && text === '') candidate = undefined
  }
  return candidate !== undefined
}

const mayAnswer = ({ kind, variant }: EventOf<'block-start'>) =>
  kind === 'text' && variant !== 'commentary' && variant !== 'plan'

/** Whether something begins, so that the text before it is not the answer. */
function begins(event: StreamEvent): boolean {
  if (event.type === 'subagent-start') return true
  if (event.type === 'approval') return event.state === 'requested'
  if (event.agentId !== undefined) return false
  if (event.type === 'message-start') return event.role === 'assistant'
  return event.type === 'block-start' || event.type === 'tool-start' || event.type === 'step-start'
}
