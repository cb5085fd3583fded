import { present } from '../data/present.ts'
import { rememberOne } from '../data/remember.ts'
import type { EventOf } from '../events.ts'
import { isText, type Json } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { createArtifacts } from './a2a/artifacts.ts'
import { createParts, textOfParts } from './a2a/parts.ts'
import { errorOf, type Failure, findResult, type Message, type Result, readResult, type Status } from './a2a/results.ts'
import { type Ending, endings } from './a2a/states.ts'
import { objectIn, sentAtOf, textIn } from './kit/fields.ts'
import { keep, metadata } from './kit/keep.ts'
import { createVoice, type Out } from './kit/voice.ts'
import { type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/** The Agent2Agent protocol, 0.2 to 1.0: the results of a streamed message, bare or in envelopes of JSON-RPC. */
export const a2a: Parser = {
  version: 1,
  losses: {
    'other-roles': 'What others have said is history, which is kept as state.',
    retract: 'A message that was sent cannot be retracted.',
    steps: 'The steps of an agent stay with it.',
    signature: 'Thoughts are plain text.',
    encrypted: 'Thoughts are plain text.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-progress': 'A call has an input and an output.',
    'tool-nesting': 'No call names another.',
    sources: 'Text carries no sources.',
    'subagent-content': 'The task that another one started has a stream of its own.',
    cost: 'Usage counts tokens.',
    control: 'Who asks for a stop sends a request, which is not in the stream.',
    errors: 'A failure ends its task.',
  },
  recognize,
  create,
}

/** The answers that a last status is compared with. */
const MOST_ANSWERS = 64

function create(): ParserState {
  const parts = createParts()
  const artifacts = createArtifacts(parts)
  const seenMessages = new Set<string>()
  const answers = new Set<string>()
  let begun = ''
  let history = ''
  let messageCount = 0
  let statusCount = 0
  let questionCount = 0
  let question: string | undefined
  let end: EventOf<'run-end'> | undefined

  function begin(out: Out, taskId: unknown, contextId: unknown, more?: Json | null): void {
    const ids = present({ taskId: textIn(taskId), contextId: textIn(contextId) })
    if (begun === '') out.push({ type: 'run-start' })
    const key = JSON.stringify([ids.taskId, ids.contextId])
    if (key !== begun) out.push(...metadata(ids))
    begun = key
    if (more !== undefined && more !== null) out.push(...parts.usage(objectIn(more)), ...metadata({ a2a: more }))
  }

  /** The task continues: a question that was open has its answer, which is not in the stream. */
  function goOn(out: Out): void {
    end = undefined
    if (question === undefined) return
    out.push({ type: 'approval', approvalId: question, state: 'answered' })
    question = undefined
  }

  /** Whether a message is new: servers send it as a status and again in the history of the task. */
  function isNew({ messageId }: Message): boolean {
    if (!isText(messageId)) return true
    if (seenMessages.has(messageId)) return false
    rememberOne(seenMessages, messageId)
    return true
  }

  function draw(out: Out, message: Message): void {
    const { metadata: own, extensions, referenceTaskIds } = message
    const messageId = textIn(message.messageId) ?? `message-${++messageCount}`
    const voice = createVoice((kind, number) => `${messageId}:${kind}-${number}`)
    const more =
      own === undefined || own === null
        ? {}
        : keep('a2a', { metadata: own, ...present({ extensions, referenceTaskIds }) })
    out.push({ type: 'message-start', messageId, role: 'assistant', ...more })
    parts.add(out, message.parts, { voice, scope: { messageId }, id: messageId })
    voice.pause(out)
    out.push({ type: 'message-end', messageId })
    rememberOne(answers, textOfParts(message.parts), MOST_ANSWERS)
  }

  /** What a status says beside its state. Text is a line for people; calls, thoughts and files are drawn. */
  function drawBeside(out: Out, message: Message): void {
    const id = textIn(message.messageId) ?? `status-${++statusCount}`
    const voice = createVoice((kind, number) => `${id}:${kind}-${number}`)
    const say = (text: string) => void out.push({ type: 'status', message: text, level: 'info' })
    parts.add(out, message.parts, { voice, scope: {}, id, say })
    voice.pause(out)
  }

  const rows: { readonly [Kind in Ending]: (out: Out, status: Status, text: string) => void } = {
    working(out, { message }) {
      goOn(out)
      if (message !== undefined && isNew(message)) drawBeside(out, message)
    },
    question(out, { state, message }, text) {
      const id = textIn(message?.messageId) ?? `question-${questionCount + 1}`
      if (id === question) return
      goOn(out)
      artifacts.endAll(out)
      questionCount++
      question = id
      const callId = message === undefined ? undefined : parts.add(out, message.parts, { id, say: () => {} })
      if (message !== undefined) isNew(message)
      const asked = present({ message: text || undefined, callId })
      out.push({ type: 'approval', approvalId: id, state: 'requested', ...asked, request: { state } })
      end = { type: 'run-end', outcome: 'awaiting-input', reason: state }
    },
    completed(out, { message }, text) {
      goOn(out)
      artifacts.endAll(out)
      if (message !== undefined && isNew(message)) {
        if (!isAnswered(text)) draw(out, message)
        else parts.add(out, message.parts, { id: textIn(message.messageId) ?? 'status', say: () => {} })
      }
      end = { type: 'run-end', outcome: 'success' }
    },
    failed(out, { state, message }, text) {
      goOn(out)
      if (message !== undefined && isNew(message))
        parts.add(out, message.parts, { id: textIn(message.messageId) ?? 'status', say: () => {} })
      const error = { message: text || (state === 'rejected' ? 'The agent rejected the task.' : 'The task failed.') }
      end = { type: 'run-end', outcome: 'error', error, reason: state }
    },
    canceled(out, { message }) {
      goOn(out)
      if (message !== undefined && isNew(message)) drawBeside(out, message)
      end = { type: 'run-end', outcome: 'cancelled' }
    },
  }

  /** Some agents say the answer only with their last status, others repeat there what was drawn already. */
  function isAnswered(text: string): boolean {
    const whole = text.trim()
    return whole === '' || [...answers, ...artifacts.texts()].some((each) => each.trim() === whole)
  }

  function readStatus(out: Out, status: Status, isFinal: unknown): void {
    rows[endings[status.state]](out, status, textOfParts(status.message?.parts ?? []))
    // The protocol closes the stream here: nothing more of this answer follows.
    if (isFinal !== true || end !== undefined) return
    artifacts.endAll(out)
    end = { type: 'run-end', outcome: 'success', reason: status.state }
  }

  function readHistory(out: Out, messages: readonly Message[], isOver: boolean): void {
    const text = JSON.stringify(messages)
    if (messages.length === 0) return
    if (text !== history) out.push({ type: 'state', channel: 'history', op: 'snapshot', value: JSON.parse(text) })
    history = text
    const last = messages.at(-1)
    // An answer that stands in the history alone.
    if (isOver && last?.role === 'agent' && artifacts.texts().length === 0 && answers.size === 0 && isNew(last))
      draw(out, last)
  }

  const kinds: {
    readonly [Kind in Result['kind']]: (out: Out, result: Extract<Result, { readonly kind: Kind }>) => void
  } = {
    task(out, { id, contextId, status, history: messages, artifacts: made, metadata: more }) {
      begin(out, id, contextId, more)
      for (const artifact of made) artifacts.snapshot(out, artifact)
      readStatus(out, status, false)
      readHistory(out, messages, endings[status.state] === 'completed' && status.message === undefined)
    },
    message(out, { message }) {
      begin(out, message.taskId, message.contextId)
      goOn(out)
      if (isNew(message)) draw(out, message)
      end = { type: 'run-end', outcome: 'success' }
    },
    'status-update'(out, { taskId, contextId, status, isFinal, metadata: more }) {
      begin(out, taskId, contextId, more)
      readStatus(out, status, isFinal)
    },
    'artifact-update'(out, { taskId, contextId, artifact, isAppended, isLast, metadata: more }) {
      begin(out, taskId, contextId, more)
      goOn(out)
      if (isAppended) artifacts.append(out, artifact)
      else artifacts.snapshot(out, artifact)
      if (isLast) artifacts.end(out, artifact)
    },
    failure(out, { error }: Failure) {
      begin(out, undefined, undefined)
      end = { type: 'run-end', outcome: 'error', error: errorOf(error), ...keep('a2a', present({ data: error.data })) }
    },
  }

  return {
    push(value) {
      const found = findResult(value)
      if (found === undefined) return unmapped(value)
      const result = readResult(found)
      const out: Out = []
      kinds[result.kind](out, result as never)
      const { sentAt } = 'status' in result ? sentAtOf(result.status.timestamp) : {}
      return understood(sentAt === undefined ? out : out.map((event) => ({ sentAt, ...event })))
    },
    end: () => (end === undefined ? [] : [end]),
  }
}

function recognize({ value }: RawRecord): Recognition | undefined {
  const found = findResult(value)
  if (found === undefined) return undefined
  if (found.kind === 'failure') return { certainty: 0.4, reason: 'a record is an error of JSON-RPC' }
  const { jsonrpc } = objectIn(value)
  return { certainty: jsonrpc === undefined ? 0.95 : 1, reason: `a record is a ${found.kind} of A2A` }
}
