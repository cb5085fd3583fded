import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { createTodoLines, subagentEndLine, subagentStartLine } from '../../meaning/activity-lines.ts'
import type { Rows } from '../rows.ts'
import type { RunContext } from './blocks.ts'
import { errorMessage, generalMessage } from './general.ts'

type Shown = 'todos' | 'subagent-start' | 'subagent-end' | 'status' | 'source' | 'file' | 'approval'
type Hidden = 'message-retract' | 'state' | 'data' | 'metadata' | 'control' | 'raw'
type OtherRows = Pick<Rows, Shown | Hidden | 'error'>

const ANSWERS: { readonly [State in ApprovalState]: string } = {
  requested: 'Waiting for an answer.',
  approved: 'Approved.',
  denied: 'Denied.',
  answered: 'Answered.',
  expired: 'Nobody answered.',
}

export interface Others {
  readonly rows: OtherRows
  /** The id of the last error message if it has this text; otherwise undefined. */
  errorIdOf(message: string): string | undefined
  /** The file that the agent answered with, as markdown; undefined if there is none. */
  answerFile(): string | undefined
}

/** Events that the protocol has no message for: a line in the chat if a person should see it, with the event as a rider. */
export function createOthers({ outbox, steps, answer }: RunContext): Others {
  const todoLines = createTodoLines()
  const names = new Map<string, string>()
  let answerFile: string | undefined
  let lastError: { readonly message: string; readonly id: string } | undefined

  function emitLine(event: StreamEvent, ...lines: readonly (string | undefined)[]): void {
    // The held message began before the event, so the event MUST NOT travel with it.
    outbox.release()
    outbox.riders.add(event)
    const step = steps.current()
    outbox.emit(generalMessage(step, lines.filter((line) => line !== undefined && line !== '').join('\n')), { step })
  }

  const ride = (event: StreamEvent): void => outbox.riders.add(event)

  const rows: OtherRows = {
    todos: (event) => emitLine(event, ...todoLines(event)),
    'subagent-start'(event) {
      answer.otherBegan()
      names.set(event.agentId, event.name)
      emitLine(event, subagentStartLine(event))
    },
    'subagent-end'(event) {
      const { agentId, status, summary } = event
      emitLine(event, subagentEndLine(names.get(agentId) ?? agentId, status, summary))
      names.delete(agentId)
    },
    status: (event) => emitLine(event, event.message),
    source: (event) => emitLine(event, event.title, event.url, event.snippet),
    file(event) {
      if (event.agentId === undefined && steps.current()?.kind === 'final') {
        answerFile = fileAnswer(event)
        outbox.riders.add(event)
      } else emitLine(event, event.filename ?? event.mediaType, event.url)
    },
    approval(event) {
      if (event.state === 'requested') answer.otherBegan()
      emitLine(event, event.state === 'requested' ? event.message || ANSWERS.requested : ANSWERS[event.state])
    },
    error(event) {
      const { message, agentId, meta } = event
      const step = steps.current()
      lastError = { message, id: outbox.emit(errorMessage(step, event, { agentId, meta }), { step }) }
    },
    'message-retract': ride,
    state: ride,
    data: ride,
    metadata: ride,
    control: ride,
    raw: ride,
  }

  return {
    rows,
    errorIdOf: (message) => (lastError?.message === message ? lastError.id : undefined),
    answerFile: () => answerFile,
  }
}

/** A file as the answer, in markdown. */
function fileAnswer({ mediaType, filename, url }: EventOf<'file'>): string {
  const address = url ?? filename
  const label = filename ?? mediaType
  if (address === undefined) return label
  return `${mediaType.startsWith('image/') ? '!' : ''}[${label}](<${address}>)`
}
