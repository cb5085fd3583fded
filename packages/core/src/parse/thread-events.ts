import { present } from '../data/present.ts'
import { toolCallOf, toolResultOf } from '../data/thread-event.ts'
import type { ApprovalState, Role, ToolStatus } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { isJsonObject, isText, type Json } from '../json.ts'
import { createCallNames } from './kit/call-names.ts'
import { countsOf, usageEvents } from './kit/counts.ts'
import { objectIn } from './kit/fields.ts'
import { metadata } from './kit/keep.ts'
import { resultFiles } from './kit/result-files.ts'
import { type Rows, readRow } from './kit/rows.ts'
import { bySigns, sign } from './kit/signs.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import { createVoice, type Out } from './kit/voice.ts'
import { joined, type Parser, type ParserState, unmapped } from './parser.ts'
import { contentOf, eventsIn, isThread, type RawEvent, timeOf } from './thread-events/raw.ts'
import { unrepeated } from './thread-events/thoughts.ts'

/** The events of a thread as an agent stores them, one message or call each, and the tokens that it sends before. */
export const threadEvents: Parser = {
  version: 1,
  losses: {
    retract: 'A stored event stays.',
    steps: 'Steps are not marked.',
    signature: 'A thought is plain text.',
    encrypted: 'A thought is plain text.',
    citations: 'Text is plain.',
    'tool-input-stream': 'Arguments are stored whole.',
    'tool-progress': 'Results are stored whole.',
    'tool-nesting': 'A call does not name the call that made it.',
    sources: 'Sources are only text in the result of a tool.',
    'subagent-content': 'The events of a subagent are in a thread of their own.',
    status: 'Notices are messages of the system.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'Requests of the user are not stored.',
    errors: 'Errors are not stored.',
    'run-error': 'Errors are not stored.',
    'provider-meta': 'No provider is named.',
  },
  recognize(record) {
    const { value } = record
    if (!isJsonObject(value) || !isThread(value)) return recognizeEvent(record)
    const isOurs = (value.events as readonly Json[]).every((each) => recognizeEvent({ ...record, value: each }))
    return isOurs ? { certainty: 1, reason: 'a record is a thread with its events' } : undefined
  },
  create,
}

const hasData = sign(1, ({ data }) => isText(data) || isJsonObject(data))
const aboutCall = sign(1, ({ data }) => isJsonObject(data) || (isText(data) && data.startsWith('{')))

const recognizeEvent = bySigns(
  {
    USER_MESSAGE: hasData,
    AGENT_MESSAGE: hasData,
    THINKING: hasData,
    LOCAL_SYSTEM_MESSAGE: hasData,
    SYSTEM_PROMPT: hasData,
    USER_SYSTEM_PROMPT: hasData,
    TOOL_CALL: aboutCall,
    TOOL_RESULT: aboutCall,
    TOOL_APPROVAL_REQUEST: aboutCall,
    TOOL_APPROVAL_RESPONSE: aboutCall,
    COMPACTION: aboutCall,
    AGENT_TOKEN: aboutCall,
  },
  (type) => `a record is the event ${type} of a thread`,
)

/** A thought that the message after it may repeat. */
interface HeldThought {
  readonly id: string
  readonly text: string
  readonly sentAt?: number
}

const RESULT_STATUS: { readonly [status: string]: ToolStatus } = {
  completed: 'ok',
  failed: 'error',
  aborted: 'cancelled',
  denied: 'denied',
}

const SPELLINGS = { inputTokens: ['promptTokens'], outputTokens: ['completionTokens'] }

function create(): ParserState {
  const ids = createUniqueIds()
  const calls = createCallNames()
  const openCalls = new Set<string>()
  let unnamed = 0
  let blocks = 0
  const voice = createVoice(() => `block-${++blocks}`)
  let thoughts: readonly HeldThought[] = []
  /** The open message of the agent: it holds the calls and results that follow its text. */
  let messageId: string | undefined
  /** When the last event of the open message was stored. */
  let lastAt: number | undefined
  /** Whether the text of the open message is being written. */
  let isWriting = false
  let threadId: string | undefined

  const idOf = (raw: RawEvent) => ids.claim(raw.id ?? `event-${++unnamed}`)

  function endMessage(out: Out): void {
    if (messageId === undefined) return
    voice.pause(out)
    // It ended with what it says last, not with what comes after it.
    out.push({ type: 'message-end', messageId, ...present({ sentAt: lastAt }) })
    messageId = undefined
    isWriting = false
  }

  /** Adds the thoughts that nothing repeats to the open message. */
  function pushThoughts(out: Out, held: readonly HeldThought[]): void {
    thoughts = []
    const own: Out = []
    for (const { id: _ofTheEvent, text, ...time } of held) {
      voice.sayWhole(own, { kind: 'reasoning', variant: 'thinking' }, text)
      out.push(...own.splice(0).map((event) => ({ ...event, ...present(time) })))
    }
  }

  function beginMessage(out: Out, id: string): void {
    endMessage(out)
    messageId = id
    out.push({ type: 'message-start', messageId: id, role: 'assistant' })
  }

  function ensureMessage(out: Out, raw: RawEvent): void {
    if (messageId === undefined) beginMessage(out, idOf(raw))
    voice.pause(out)
    isWriting = false
    pushThoughts(out, thoughts)
  }

  /** Thoughts without a message are one of their own. */
  function flush(out: Out): void {
    const [first] = thoughts
    if (first !== undefined && messageId === undefined) beginMessage(out, first.id)
    pushThoughts(out, thoughts)
    endMessage(out)
  }

  function messageOf(role: Role) {
    return (out: Out, raw: Extract<RawEvent, { readonly data: string }>) => {
      const { data } = raw
      if (typeof data !== 'string') throw new TypeError('The message has no text.')
      flush(out)
      const id = idOf(raw)
      out.push({ type: 'message-start', messageId: id, role })
      if (data !== '') voice.sayWhole(out, { kind: 'text' }, data)
      out.push({ type: 'message-end', messageId: id })
    }
  }

  function pushText(out: Out, content: string): void {
    const held = unrepeated(thoughts, content)
    const blockId = isWriting ? voice.openId : undefined
    if (blockId !== undefined) out.push({ type: 'block-patch', blockId, text: content })
    voice.pause(out)
    isWriting = false
    pushThoughts(out, held)
    if (blockId === undefined && content !== '') voice.sayWhole(out, { kind: 'text' }, content)
  }

  const rows: Rows<RawEvent> = {
    USER_MESSAGE: messageOf('user'),
    LOCAL_SYSTEM_MESSAGE: messageOf('system'),
    SYSTEM_PROMPT: messageOf('system'),
    USER_SYSTEM_PROMPT: messageOf('system'),
    THINKING(_out, raw) {
      if (typeof raw.data !== 'string') throw new TypeError('The thought has no text.')
      thoughts = [...thoughts, { id: idOf(raw), text: raw.data, ...timeOf(raw) }]
    },
    AGENT_TOKEN(out, raw) {
      const { token } = raw.data
      if (typeof token !== 'string') throw new TypeError('The token has no text.')
      if (!isWriting) beginMessage(out, idOf(raw))
      isWriting = true
      if (token !== '') voice.say(out, { kind: 'text' }, token)
    },
    AGENT_MESSAGE(out, raw) {
      const { content, tokenUsage } = contentOf(raw.data)
      if (!isWriting) beginMessage(out, idOf(raw))
      pushText(out, content)
      out.push(...usageEvents(countsOf(objectIn(tokenUsage?.message), SPELLINGS), { scope: 'step' }))
    },
    TOOL_CALL(out, raw) {
      const { id, name, arguments: input } = toolCallOf(raw.data)
      if (typeof id !== 'string' || typeof name !== 'string') throw new TypeError('The call has no id or no name.')
      ensureMessage(out, raw)
      const callId = calls.start(id)
      openCalls.add(callId)
      out.push({ type: 'tool-start', callId, name, runBy: 'agent' }, { type: 'tool-input', callId, input: input ?? {} })
    },
    TOOL_RESULT(out, { data }) {
      const { id, content = null, isError, error } = toolResultOf(data)
      if (typeof id !== 'string') throw new TypeError('The result has no id.')
      const callId = calls.answer(id)
      openCalls.delete(callId)
      const named = 'status' in data ? RESULT_STATUS[data.status ?? ''] : undefined
      const status = named ?? (isError ? 'error' : 'ok')
      out.push({ type: 'tool-output', callId, status, output: content, ...present({ error }) })
      out.push(...resultFiles(content, callId))
    },
    TOOL_APPROVAL_REQUEST: (out, { data }) => pushApproval(out, data.toolCallId, 'requested'),
    TOOL_APPROVAL_RESPONSE: (out, { data }) =>
      pushApproval(out, data.toolCallId, data.decision.startsWith('allow') ? 'approved' : 'denied'),
    COMPACTION: (out, { data }) => void out.push({ type: 'data', name: 'compaction', data }),
  }

  function pushApproval(out: Out, id: string, state: ApprovalState): void {
    if (typeof id !== 'string') throw new TypeError('The approval names no call.')
    out.push({ type: 'approval', approvalId: id, callId: id, state })
  }

  function push(raw: RawEvent): readonly StreamEvent[] {
    const events = readRow(rows, raw.type, raw)
    const ownId = raw.threadId ?? raw.context?.threadId ?? undefined
    const isNew = ownId !== undefined && ownId !== threadId
    if (isNew) threadId = ownId
    const all = isNew ? [...events, ...metadata({ threadId: ownId })] : events
    const time = timeOf(raw)
    if (messageId !== undefined) lastAt = time.sentAt ?? lastAt
    return time.sentAt === undefined || all.length === 0 ? all : all.map((event) => ({ ...time, ...event }))
  }

  function release(): readonly StreamEvent[] {
    const out: Out = []
    if (thoughts.length > 0) flush(out)
    return out
  }

  return {
    push: (value) => joined(eventsIn(value).map((each) => (isJsonObject(each) ? push(each as never) : unmapped(each)))),
    end: () => [...release(), ...(openCalls.size === 0 ? [{ type: 'run-end', outcome: 'success' } as const] : [])],
    release,
  }
}
