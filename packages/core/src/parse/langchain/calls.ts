import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import { inputEvents, type Scope } from './told.ts'

export interface Call {
  /** Unique in the run: graphs inside graphs may use one id for calls of their own. */
  readonly callId: string
  readonly name: string
  readonly scope: Scope
  readonly index: string | undefined
  readonly runBy: RunBy
  readonly messageId: string | undefined
  /** How much of its input's text was told. */
  length: number
  given: Json | undefined
  /** How its text begins: enough to tell which of several calls is meant. */
  beginning: string
  error: string | undefined
  hasInput: boolean
  isAnswered: boolean
  /** Its output, until that has been repeated. */
  answer: Json | undefined
  /** Whether a graph that runs for it is known. */
  isLinked: boolean
}

export interface NewCall {
  readonly id: string | undefined
  readonly name: string
  readonly index: string | undefined
  readonly runBy: RunBy
}

/** Where a call begins: in a message, or in none that is known. */
export interface CallPlace {
  readonly scope: Scope
  readonly messageId?: string
}

export interface Answer {
  readonly status: 'ok' | 'error'
  readonly output: Json
  readonly name?: string | undefined
  /** Why it failed, where that is not all that the output says. */
  readonly error?: string | undefined
  readonly artifact?: Json | undefined
}

/** The calls of a run, by scope and id. */
export interface Calls {
  start(place: CallPlace, call: NewCall): { readonly call: Call; readonly event: StreamEvent }
  find(scope: Scope, id: string | undefined): Call | undefined
  /** Calls of a scope without an output, oldest first. */
  open(scope: Scope): readonly Call[]
  openAnywhere(): readonly Call[]
  /** Whether a tool of this name was called in a scope. */
  wasCalled(scope: Scope, name: string): boolean
  /** The output of a call; a second one for it is none. A call that nobody has seen begin is shown all the same. */
  answer(scope: Scope, id: string | undefined, answer: Answer): StreamEvent[]
}

export function createCalls(): Calls {
  const byId = new Map<string, Call>()
  /** Which scope uses an id as it is. */
  const owners = new Map<string, string>()
  let minted = 0

  function uniqueId(scope: Scope, id: string): string {
    const owner = owners.get(id)
    if (owner === undefined) remember(owners, id, scope.key)
    return owner === undefined || owner === scope.key ? id : `${id}@${scope.key}`
  }

  function find(scope: Scope, id: string | undefined): Call | undefined {
    return id === undefined ? undefined : byId.get(keyOf(scope, id))
  }

  const openAnywhere = () => [...byId.values()].filter((call) => !call.isAnswered && call.runBy === 'agent')
  const open = (scope: Scope) => openAnywhere().filter((call) => call.scope.key === scope.key)

  /** The call that a result without an id is for: of those of the last message, the first that waits for one. */
  function waiting(scope: Scope, name: string | undefined): Call | undefined {
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
        given: undefined,
        beginning: '',
        error: undefined,
        hasInput: false,
        isAnswered: false,
        answer: undefined,
        isLinked: false,
      }
      remember(byId, keyOf(scope, rawId), call)
      const place = present({ messageId, agentId: scope.agentId })
      return { call, event: { type: 'tool-start', callId: call.callId, name, runBy, ...place } }
    },
    find,
    open,
    openAnywhere,
    wasCalled: (scope, name) => [...byId.values()].some((call) => call.scope.key === scope.key && call.name === name),
    answer(scope, id, { status, output, name, error, artifact }) {
      const call = id === undefined ? waiting(scope, name) : find(scope, id)
      if (call?.isAnswered) return repeated(call, output)
      const callId = call?.callId ?? id
      if (callId === undefined) return [...unmapped(present({ name, output }))]
      const agent = present({ agentId: scope.agentId })
      const text = status === 'error' ? (error ?? textOf(output)) : undefined
      const answered: EventOf<'tool-output'> = {
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
        return [...inputEvents(call), answered]
      }
      const found = { callId, name: name ?? 'unknown', runBy: 'agent', meta: { millrace: { orphan: true } } } as const
      remember(byId, keyOf(scope, callId), { ...UNSEEN, callId, name: found.name, scope })
      return [{ type: 'tool-start', ...found, ...agent }, answered]
    },
  }
}

/** What fails is said twice, and not in the same words: what the model is told is kept beside what the tool said. */
function repeated(call: Call, output: Json): StreamEvent[] {
  const { answer } = call
  call.answer = undefined
  if (answer === undefined || sentencesIn(output).every((words) => isIn(answer, words))) return []
  return [{ type: 'raw', value: { tool_call_id: call.callId, content: output }, reason: 'unmapped' }]
}

/** The texts of a value that say more than a name. */
function sentencesIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

function isIn(value: Json, words: string): boolean {
  return typeof value === 'string' ? value.includes(words) : sentencesIn(value).some((said) => said.includes(words))
}

const UNSEEN = {
  index: undefined,
  runBy: 'agent',
  messageId: undefined,
  length: 0,
  given: undefined,
  beginning: '',
  error: undefined,
  hasInput: true,
  isAnswered: true,
  answer: undefined,
  isLinked: false,
} as const

const keyOf = (scope: Scope, id: string) => (scope.key === '' ? id : `${scope.key}\n${id}`)

/** The words of an output that says why its call failed. */
function textOf(output: Json): string {
  if (typeof output === 'string' && output !== '') return output
  const blocks = Array.isArray(output) ? (output as readonly ({ readonly text?: Json } | null)[]) : []
  const words = blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : []))
  const { error_message, error_code } = (output ?? {}) as { readonly [field: string]: Json }
  return words.join('') || String(error_message ?? error_code ?? 'The tool failed')
}

/** Whether the input of a call, as far as it is kept, has this text in it. */
export function mentions({ beginning, given }: Call, text: string): boolean {
  const input = beginning === '' && given !== undefined ? JSON.stringify(given) : beginning
  return input.includes(
    JSON.stringify(text)
      .slice(1, -1)
      .slice(0, MAX_BEGINNING / 2),
  )
}

/** One word of a call's input. */
export function inputWord({ beginning, given }: Call, field: string): string | undefined {
  const held = (given as { readonly [field: string]: Json } | null | undefined)?.[field]
  if (typeof held === 'string') return held
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(beginning)?.[1]
}

export const MAX_BEGINNING = 4096
