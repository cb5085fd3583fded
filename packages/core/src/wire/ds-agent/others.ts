import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { createTodoLines, subagentEndLine, subagentStartLine } from '../../meaning/activity-lines.ts'
import type { Rows } from '../rows.ts'
import type { Tellers } from './blocks.ts'
import { errorMessage, general } from './general.ts'

type Spoken = 'todos' | 'subagent-start' | 'subagent-end' | 'status' | 'source' | 'file' | 'approval'
type Silent = 'message-retract' | 'state' | 'data' | 'metadata' | 'control' | 'raw'
type OtherRows = Pick<Rows, Spoken | Silent | 'error'>

const ANSWERS: { readonly [State in ApprovalState]: string } = {
  requested: 'Waiting for an answer.',
  approved: 'Approved.',
  denied: 'Denied.',
  answered: 'Answered.',
  expired: 'Nobody answered.',
}

export interface Others {
  readonly rows: OtherRows
  /** Under which id the last error stands, if it said this. */
  errorIdOf(message: string): string | undefined
  /** The file that the agent answered with, if it did. */
  answerFile(): string | undefined
}

/** What the protocol has no message for: a line in the chat, if a person should see it, and the event itself beside. */
export function createOthers({ outbox, steps, answer }: Tellers): Others {
  const todoLines = createTodoLines()
  const names = new Map<string, string>()
  let answerFile: string | undefined
  let lastError: { readonly message: string; readonly id: string } | undefined

  function say(event: StreamEvent, ...words: readonly (string | undefined)[]): void {
    // What is held began before the event: the event must not go with it.
    outbox.release()
    outbox.riders.add(event)
    const step = steps.current()
    outbox.say(general(step, words.filter((word) => word !== undefined && word !== '').join('\n')), { step })
  }

  const ride = (event: StreamEvent): void => outbox.riders.add(event)

  const rows: OtherRows = {
    todos: (event) => say(event, ...todoLines(event)),
    'subagent-start'(event) {
      answer.begin()
      names.set(event.agentId, event.name)
      say(event, subagentStartLine(event))
    },
    'subagent-end'(event) {
      const { agentId, status, summary } = event
      say(event, subagentEndLine(names.get(agentId) ?? agentId, status, summary))
      names.delete(agentId)
    },
    status: (event) => say(event, event.message),
    source: (event) => say(event, event.title, event.url, event.snippet),
    file(event) {
      if (event.agentId === undefined && steps.current()?.kind === 'final') {
        answerFile = fileAnswer(event)
        outbox.riders.add(event)
      } else say(event, event.filename ?? event.mediaType, event.url)
    },
    approval(event) {
      if (event.state === 'requested') answer.begin()
      say(event, event.state === 'requested' ? event.message || ANSWERS.requested : ANSWERS[event.state])
    },
    error(event) {
      const { message, agentId, meta } = event
      const step = steps.current()
      lastError = { message, id: outbox.say(errorMessage(step, event, { agentId, meta }), { step }) }
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

/** A file in the place of an answer, in markdown. */
function fileAnswer({ mediaType, filename, url }: EventOf<'file'>): string {
  const where = url ?? filename
  const words = filename ?? mediaType
  if (where === undefined) return words
  return `${mediaType.startsWith('image/') ? '!' : ''}[${words}](<${where}>)`
}
