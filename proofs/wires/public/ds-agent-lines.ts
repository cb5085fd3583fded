import type { EventOf, StreamEvent } from '@millrace/core/events'
import { createTodoLines, subagentEndLine, subagentStartLine } from '@millrace/core/meaning/activity-lines'
import { endOf, type PublicRun } from '@millrace/testkit/public-run'

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
  const joined = (...lines: readonly (string | undefined)[]) => lines.filter(Boolean).join('\n')
  const rows: { readonly [type: string]: (event: never) => string } = {
    'block-end': ({ blockId }: EventOf<'block-end'>) => others.get(blockId) ?? '',
    todos: (event: EventOf<'todos'>) => joined(...todoLines(event)),
    status: ({ message }: EventOf<'status'>) => message,
    source: ({ title, url, snippet }: EventOf<'source'>) => joined(title, url, snippet),
    file: ({ filename, mediaType, url }: EventOf<'file'>) => joined(filename ?? mediaType, url),
    approval: ({ state, message }: EventOf<'approval'>) => (state === 'requested' && message) || ANSWERS[state],
    'subagent-start'(event: EventOf<'subagent-start'>) {
      names.set(event.agentId, event.name)
      return subagentStartLine(event)
    },
    'subagent-end': ({ agentId, status, summary }: EventOf<'subagent-end'>) =>
      subagentEndLine(names.get(agentId) ?? agentId, status, summary),
  }
  const lines = entries
    .filter((entry) => !isAnswer(entry.event, run))
    .flatMap(({ event }) => rows[event.type]?.(event as never) || [])
  return endOf(run).outcome === 'awaiting-input' ? [...lines, ANSWERS.requested] : lines
}

/** A file of the main agent's final step is the answer, if the run has succeeded and that step has no text. */
export function isAnswer(event: StreamEvent, { entries }: PublicRun): boolean {
  const events = entries.map((entry) => entry.event)
  const before = events.slice(0, events.indexOf(event))
  const step = before.findLast(({ type, agentId }) => type.startsWith('step-') && agentId === undefined)
  return event.type === 'file' && event.agentId === undefined && step?.type === 'step-start' && step.kind === 'final'
}
