import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import { type GraphScope, inputEvents } from './emitted-message.ts'

export interface Call {
  /** Unique in the run, because nested graphs may reuse an id for their own calls. */
  readonly callId: string
  readonly name: string
  readonly scope: GraphScope
  readonly index: string | undefined
  readonly runBy: RunBy
  readonly messageId: string | undefined
  /** The length of the input text that was emitted. */
  length: number
  wholeInput: Json | undefined
  /** The beginning of its input text, to find out which of several calls is meant. */
  beginning: string
  error: string | undefined
  hasInput: boolean
  isAnswered: boolean
  /** Its output, and what repetitions added to it. */
  answer: Json | undefined
  /** Whether a graph is linked to it. */
  isLinked: boolean
}

export interface NewCall {
  readonly id: string | undefined
  readonly name: string
  readonly index: string | undefined
  readonly runBy: RunBy
}

/** Where a call begins: in a graph and, if known, in a message. */
export interface CallScope {
  readonly scope: GraphScope
  readonly messageId?: string
}

export interface Answer {
  readonly status: 'ok' | 'error'
  readonly output: Json
  readonly name?: string | undefined
  /** Why it failed, if that is not the whole output. */
  readonly error?: string | undefined
  readonly artifact?: Json | undefined
}

/** The calls of a run, by graph scope and id. */
export interface Calls {
  start(callScope: CallScope, call: NewCall): { readonly call: Call; readonly event: StreamEvent }
  find(scope: GraphScope, id: string | undefined): Call | undefined
  /** The calls of a scope without an output, oldest first. */
  open(scope: GraphScope): readonly Call[]
  openAnywhere(): readonly Call[]
  /** Whether a tool of this name was called in a scope. */
  wasCalled(scope: GraphScope, name: string): boolean
  /** The output of a call. A second output is not emitted. A call without a start is started here, as an orphan. */
  answer(scope: GraphScope, id: string | undefined, answer: Answer): StreamEvent[]
}

export function createCalls(): Calls {
  const byId = new Map<string, Call>()
  /** By id: the scope that uses it unchanged. */
  const owners = new Map<string, string>()
  let minted = 0

  function uniqueId(scope: GraphScope, id: string): string {
    const owner = owners.get(id)
    if (owner === undefined) remember(owners, id, scope.key)
    return owner === undefined || owner === scope.key ? id : `${id}@${scope.key}`
  }

  function find(scope: GraphScope, id: string | undefined): Call | undefined {
    return id === undefined ? undefined : byId.get(keyOf(scope, id))
  }

  const openAnywhere = () => [...byId.values()].filter((call) => !call.isAnswered && call.runBy === 'agent')
  const open = (scope: GraphScope) => openAnywhere().filter((call) => call.scope.key === scope.key)

  /** The call of a result without an id: in the last message with open calls, the first of its name, else the first. */
  function waiting(scope: GraphScope, name: string | undefined): Call | undefined {
    const calls = open(scope)
    const latest = calls.filter(({ messageId }) => messageId === calls.at(-1)?.messageId)
    return latest.find((call) => call.name === name) ?? latest[0]
  }

  return {
    start({ scope, messageId }, { id, name, index, runBy }) {
      const rawId = id ?? `call-${++minted}`
      const call: Call = {
        callId: uniqueId(scope, rawId),
        name,
        scope,
        index,
        runBy,
        messageId,
        length: 0,
        wholeInput: undefined,
        beginning: '',
        error: undefined,
        hasInput: false,
        isAnswered: false,
        answer: undefined,
        isLinked: false,
      }
      remember(byId, keyOf(scope, rawId), call)
      const eventScope = present({ messageId, agentId: scope.agentId })
      return { call, event: { type: 'tool-start', callId: call.callId, name, runBy, ...eventScope } }
    },
    find,
    open,
    openAnywhere,
    wasCalled: (scope, name) => [...byId.values()].some((call) => call.scope.key === scope.key && call.name === name),
    answer(scope, id, { status, output, name, error, artifact }) {
      const call = id === undefined ? waiting(scope, name) : find(scope, id)
      if (call?.isAnswered) return repeatedOutput(call, output)
      const callId = call?.callId ?? id
      if (callId === undefined) return [...unmapped(present({ name, output }))]
      const agent = present({ agentId: scope.agentId })
      const text = status === 'error' ? (error ?? textOf(output)) : undefined
      const outputEvent: EventOf<'tool-output'> = {
        type: 'tool-output',
        callId,
        status,
        output,
        ...agent,
        ...present({ error: text }),
        ...(artifact !== undefined && { meta: { langchain: { artifact } } }),
      }
      if (call !== undefined) {
        call.isAnswered = true
        call.answer = output
        return [...inputEvents(call), outputEvent]
      }
      const orphan = { callId, name: name ?? 'unknown', runBy: 'agent', meta: { millrace: { orphan: true } } } as const
      remember(byId, keyOf(scope, callId), { ...UNSEEN, callId, name: orphan.name, scope, answer: output })
      return [{ type: 'tool-start', ...orphan, ...agent }, outputEvent]
    },
  }
}

/** A failure comes twice, in different words. A repetition with new text is kept as `raw` beside the tool's output. */
function repeatedOutput(call: Call, output: Json): StreamEvent[] {
  const { answer } = call
  if (answer === undefined || sentencesIn(output).every((sentence) => isContained(answer, sentence))) return []
  call.answer = [answer, output]
  return [{ type: 'raw', value: { tool_call_id: call.callId, content: output }, reason: 'unmapped' }]
}

/** The texts of a value that contain a space, so that they are more than a name. */
function sentencesIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

function isContained(value: Json, sentence: string): boolean {
  return typeof value === 'string'
    ? value.includes(sentence)
    : sentencesIn(value).some((text) => text.includes(sentence))
}

const UNSEEN = {
  index: undefined,
  runBy: 'agent',
  messageId: undefined,
  length: 0,
  wholeInput: undefined,
  beginning: '',
  error: undefined,
  hasInput: true,
  isAnswered: true,
  isLinked: false,
} as const

const keyOf = (scope: GraphScope, id: string) => (scope.key === '' ? id : `${scope.key}\n${id}`)

/** The error text of an output. */
function textOf(output: Json): string {
  if (typeof output === 'string' && output !== '') return output
  const blocks = Array.isArray(output) ? (output as readonly ({ readonly text?: Json } | null)[]) : []
  const texts = blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : []))
  const { error_message, error_code } = (output ?? {}) as { readonly [field: string]: Json }
  return texts.join('') || String(error_message ?? error_code ?? 'The tool failed')
}

/** Whether the input of a call, as far as it is kept, contains this text. */
export function mentions({ beginning, wholeInput }: Call, text: string): boolean {
  const input = beginning === '' && wholeInput !== undefined ? JSON.stringify(wholeInput) : beginning
  return input.includes(
    JSON.stringify(text)
      .slice(1, -1)
      .slice(0, MAX_BEGINNING / 2),
  )
}

/** A text field of a call's input. */
export function inputText({ beginning, wholeInput }: Call, field: string): string | undefined {
  const value = (wholeInput as { readonly [field: string]: Json } | null | undefined)?.[field]
  if (typeof value === 'string') return value
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(beginning)?.[1]
}

export const MAX_BEGINNING = 4096
