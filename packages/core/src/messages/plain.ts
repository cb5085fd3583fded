import type {
  ChatEvent,
  DataSegment,
  FileSegment,
  ReasoningSegment,
  Segment,
  StatusSegment,
  TextSegment,
  ToolSegment,
} from '../fold/shapes.ts'
import { type Answers, answersIn, hasResult, isOrphan } from './answers.ts'
import { createLosses, type Losses } from './losses.ts'
import type { MessageOptions } from './request.ts'
import { type CallResult, resultOf } from './results.ts'
import { isFileSegment } from './segments.ts'
import { textRuns } from './think-tags.ts'

/** A part of an assistant message, in the order in which it arrived. */
export type AssistantPart =
  | { readonly kind: 'text'; readonly segment: TextSegment; readonly text: string }
  | { readonly kind: 'reasoning'; readonly segment: ReasoningSegment }
  /** A call of the agent or the client: its result is one of the message's `results`. */
  | { readonly kind: 'call'; readonly call: ToolSegment }
  | {
      readonly kind: 'provider-call'
      readonly call: ToolSegment
      readonly state: 'answered' | 'pending' | 'unfinished'
    }
  /** The result of an earlier call of the provider; `answer` holds it, and is the call itself if it came in its run. */
  | { readonly kind: 'provider-result'; readonly call: ToolSegment; readonly answer: ToolSegment }
  | { readonly kind: 'file'; readonly segment: FileSegment }
  | { readonly kind: 'data'; readonly segment: DataSegment }
  | { readonly kind: 'status'; readonly segment: StatusSegment }

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly chatEvent: ChatEvent
  readonly parts: readonly AssistantPart[]
  /** Exactly one for each part of kind `call`, in their order. */
  readonly results: readonly CallResult[]
}

export type UserPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: Omit<FileSegment, 'startedAt' | 'seqs' | 'type'> }

export interface UserMessage {
  readonly role: 'user'
  readonly id: string
  readonly parts: readonly UserPart[]
}

export interface SystemMessage {
  readonly role: 'system'
  readonly id: string
  readonly text: string
}

/** A message as every provider's request begins: results at their calls, nothing that only persons read. */
export type PlainMessage = SystemMessage | UserMessage | AssistantMessage

export interface PlainMessages {
  readonly messages: readonly PlainMessage[]
  readonly losses: Losses
}

/** The messages of a history without retracted messages, errors, status lines, todo lists, and the inside of subagents. */
export function plainMessagesOf(chatEvents: readonly ChatEvent[], options: MessageOptions): PlainMessages {
  const losses = createLosses()
  const shown = chatEvents.filter(({ state }) => state !== 'retracted')
  const answers = answersIn(shown, options)
  const messages = shown.flatMap((chatEvent) => rows[chatEvent.role](chatEvent, { answers, options, losses }))
  return { messages: lastTurnsOf([...messages, ...inputOf(options)], options.lastTurns), losses }
}

interface Context {
  readonly answers: Answers
  readonly options: MessageOptions
  readonly losses: Losses
}

type Row = (chatEvent: ChatEvent, context: Context) => readonly PlainMessage[]

const rows: { readonly [Role in ChatEvent['role']]: Row } = {
  system({ id, segments }) {
    const text = textsOf(segments).join('\n\n')
    return text === '' ? [] : [{ role: 'system', id, text }]
  },
  user({ id, segments }) {
    const parts = segments.flatMap(userPart)
    return parts.length === 0 ? [] : [{ role: 'user', id, parts }]
  },
  /** It holds outputs, which are shown at their calls. */
  tool: () => [],
  assistant: assistantMessages,
}

const textsOf = (segments: readonly Segment[]) =>
  segments.flatMap((segment) => (segment.type === 'text' && segment.text !== '' ? [segment.text] : []))

function userPart(segment: Segment): readonly UserPart[] {
  if (segment.type === 'text') return segment.text === '' ? [] : [{ kind: 'text', text: segment.text }]
  return segment.type === 'file' ? [{ kind: 'file', file: segment }] : []
}

function inputOf({ input }: MessageOptions): readonly UserMessage[] {
  if (input === undefined) return []
  const text: readonly UserPart[] = input.text === '' ? [] : [{ kind: 'text', text: input.text }]
  const files = (input.files ?? []).map(
    ({ id, ...file }): UserPart => ({ kind: 'file', file: { fileId: id, ...file } }),
  )
  const parts = [...text, ...files]
  return parts.length === 0 ? [] : [{ role: 'user', id: 'input', parts }]
}

/** Cuts only before a message of the user. Messages of the system stay. */
function lastTurnsOf(messages: readonly PlainMessage[], count: number | undefined): readonly PlainMessage[] {
  if (count === undefined) return messages
  const starts = messages.flatMap(({ role }, index) =>
    role === 'user' && messages[index - 1]?.role !== 'user' ? [index] : [],
  )
  const first = count <= 0 ? messages.length : (starts.at(-count) ?? 0)
  return messages.filter(({ role }, index) => index >= first || role === 'system')
}

/** One message of the log may hold several responses of the model: each begins after the outputs of the one before. */
function assistantMessages(chatEvent: ChatEvent, context: Context): readonly AssistantMessage[] {
  const { answers } = context
  const messages: AssistantMessage[] = []
  let parts: AssistantPart[] = []
  const isSigned = chatEvent.segments.some((segment) => segment.type === 'reasoning' && isSealed(segment))
  const flush = () => {
    if (parts.length > 0) messages.push(assistantMessage(chatEvent, parts, context))
    parts = []
  }
  for (const part of partsOf(chatEvent, context)) {
    if (startsResponse(part, parts, answers, isSigned)) flush()
    parts.push(part)
  }
  flush()
  return messages
}

const isSealed = ({ signature, encrypted }: ReasoningSegment) => signature !== undefined || encrypted !== undefined

function assistantMessage(
  chatEvent: ChatEvent,
  parts: readonly AssistantPart[],
  { answers, losses }: Context,
): AssistantMessage {
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []))
  const files = chatEvent.segments.filter(isFileSegment)
  const filesOf = ({ callId }: ToolSegment) => files.filter((file) => file.callId === callId)
  const results = calls.map((call) => resultOf(call, answers, { id: chatEvent.id, losses, files: filesOf(call) }))
  return { role: 'assistant', chatEvent, parts, results }
}

/**
 * Whether a part belongs to a later response than the parts before it: a call of those had its output before the part
 * began. Calls of one response may be answered while the next one streams: where thoughts are signed, and must stay
 * in front of their calls, a call alone begins no response.
 */
function startsResponse(
  part: AssistantPart,
  before: readonly AssistantPart[],
  { late }: Answers,
  isSigned: boolean,
): boolean {
  const segment = part.kind === 'text' || part.kind === 'reasoning' ? part.segment : undefined
  const begun = segment ?? (part.kind === 'call' && !isSigned ? part.call : undefined)
  if (begun === undefined) return false
  return before.some(
    (earlier) =>
      earlier.kind === 'call' &&
      earlier.call.endedAt !== undefined &&
      !late.has(earlier.call) &&
      earlier.call.endedAt <= begun.startedAt &&
      earlier.call.seqs[1] < begun.seqs[0],
  )
}

/** The parts of a message, with the results of the provider's calls where they arrived. */
function partsOf(chatEvent: ChatEvent, { answers, options, losses }: Context): readonly AssistantPart[] {
  const waiting = [...(answers.arrivals.get(chatEvent) ?? [])]
  const innerIds = innerCallIds(chatEvent.segments)
  const parts: AssistantPart[] = []
  for (const run of textRuns(chatEvent.segments, options.thinkTags ?? 'drop')) {
    const { segment } = run
    while (waiting[0] !== undefined && waiting[0].seq < segment.seqs[0]) parts.push(arrived(waiting))
    parts.push(...partOf(run, answers, innerIds, (callId) => losses.add('unknown-call', chatEvent.id, callId)))
  }
  while (waiting.length > 0) parts.push(arrived(waiting))
  return parts
}

function arrived(waiting: { readonly call: ToolSegment; readonly answer: ToolSegment }[]): AssistantPart {
  const { call, answer } = waiting.shift() as (typeof waiting)[number]
  return { kind: 'provider-result', call, answer }
}

/** Calls that another tool made: the model has not made them, unless the provider ran that tool on its behalf. */
function innerCallIds(segments: readonly Segment[]): ReadonlySet<string> {
  const tools = segments.filter((segment) => segment.type === 'tool')
  const outer = new Set(tools.filter(({ runBy }) => runBy !== 'provider').map(({ callId }) => callId))
  return new Set(tools.filter(({ parentCallId }) => outer.has(parentCallId ?? '')).map(({ callId }) => callId))
}

function partOf(
  { segment, text }: { readonly segment: Segment; readonly text?: string },
  answers: Answers,
  innerIds: ReadonlySet<string>,
  onUnknown: (callId: string) => void,
): readonly AssistantPart[] {
  switch (segment.type) {
    case 'text':
      return [{ kind: 'text', segment, text: text ?? segment.text }]
    case 'reasoning':
      return [{ kind: 'reasoning', segment }]
    case 'file':
      return segment.callId === undefined ? [{ kind: 'file', segment }] : []
    case 'data':
      return [{ kind: 'data', segment }]
    case 'status':
      return [{ kind: 'status', segment }]
    case 'tool':
      if (isOrphan(segment)) {
        if (!answers.used.has(segment)) onUnknown(segment.callId)
        return []
      }
      if (innerIds.has(segment.callId)) return []
      return segment.runBy === 'provider'
        ? [{ kind: 'provider-call', call: segment, state: stateOf(segment, answers) }]
        : [{ kind: 'call', call: segment }]
    default:
      return []
  }
}

function stateOf(call: ToolSegment, { late, pending }: Answers): 'answered' | 'pending' | 'unfinished' {
  if (hasResult(call) || late.has(call)) return 'answered'
  return pending.has(call) ? 'pending' : 'unfinished'
}
