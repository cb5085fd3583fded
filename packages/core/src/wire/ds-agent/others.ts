import { rememberOne } from '../../data/remember.ts'
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

/** The most files that wait for the end of the run. */
const MOST_FILES = 64

export interface Others {
  readonly rows: OtherRows
  /** The id of the last error message if it has this text; otherwise undefined. */
  errorIdOf(message: string): string | undefined
  /** The last file of a final step, as markdown: it is the answer, and the others are not. Undefined if there is none. */
  takeAnswerFile(): string | undefined
  /** Shows the files of final steps that are not the answer. */
  showFiles(): void
}

/** Events that the protocol has no message for: a line in the chat if a person should see it, with the event as a rider. */
export function createOthers({ outbox, steps, answer }: RunContext): Others {
  const todoLines = createTodoLines()
  const names = new Map<string, string>()
  const sourceIds = new Set<string>()
  /** Files of final steps. They wait for the end of the run, because the last one may be the answer. */
  const files: EventOf<'file'>[] = []
  let lastError: { readonly message: string; readonly id: string } | undefined

  function emitLine(event: StreamEvent, ...lines: readonly (string | undefined)[]): void {
    // The held message began before the event, so the event MUST NOT travel with it.
    outbox.release()
    outbox.riders.add(event)
    show(...lines)
  }

  function show(...lines: readonly (string | undefined)[]): void {
    const step = steps.current()
    outbox.emit(generalMessage(step, lines.filter((line) => line !== undefined && line !== '').join('\n')), { step })
  }

  function showFiles(): void {
    for (const file of files.splice(0)) show(...fileLines(file))
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
    // A source that is reported again is still one source.
    source(event) {
      const { sourceId, title, url, snippet } = event
      if (sourceIds.has(sourceId)) ride(event)
      else emitLine(event, title, url, snippet)
      rememberOne(sourceIds, sourceId)
    },
    file(event) {
      if (event.agentId === undefined && steps.current()?.kind === 'final') {
        ride(event)
        files.push(event)
        const oldest = files.length > MOST_FILES ? files.shift() : undefined
        if (oldest !== undefined) show(...fileLines(oldest))
      } else emitLine(event, ...fileLines(event))
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
    takeAnswerFile() {
      const file = files.pop()
      return file && fileAnswer(file)
    },
    showFiles,
  }
}

const fileLines = ({ filename, mediaType, url }: EventOf<'file'>) => [filename ?? mediaType, url]

/** A file as the answer, in markdown. */
function fileAnswer({ mediaType, filename, url, bytes }: EventOf<'file'>): string {
  const inline = bytes === undefined ? undefined : `data:${mediaType};base64,${bytes}`
  const address = inline ?? url ?? filename
  const label = filename ?? mediaType
  if (address === undefined) return label
  return `${mediaType.startsWith('image/') ? '!' : ''}[${label}](<${address}>)`
}
