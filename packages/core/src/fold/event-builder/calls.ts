import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'

export interface ToolCallStart {
  readonly id: string
  readonly name: string
}

export interface ToolCallArgs {
  readonly id: string
  readonly args: Json
}

export interface ToolCallResult {
  readonly id: string
  readonly output?: Json
  readonly error?: string
}

/** A tool that the provider runs itself. */
export interface BuiltInToolStatus {
  readonly id: string
  readonly type: 'web_search_call' | 'code_interpreter_call'
  readonly status: 'in_progress' | 'searching' | 'interpreting' | 'completed' | 'failed'
  readonly code?: string
}

/** The calls of a builder. Each method returns the events that a message of the stream maps to; none for a repeat. */
export interface BuilderCalls {
  has(id: string): boolean
  start(call: ToolCallStart): StreamEvent[]
  /** Names a call that was found before it was announced. False if there is no such call. */
  nameLate(call: ToolCallStart): boolean
  lateName(id: string): string | undefined
  hasLateNames(): boolean
  input(call: ToolCallArgs): StreamEvent[]
  complete(call: ToolCallResult): StreamEvent[]
  advance(call: BuiltInToolStatus): StreamEvent[]
  cancel(id: string): StreamEvent[]
  /** Calls without a result. */
  open(): string[]
}

interface Call {
  isNamed: boolean
  lateName: string | undefined
  /** The input so far, as JSON text. */
  input: string | undefined
  status: BuiltInToolStatus['status']
  isDone: boolean
}

/** A status never goes back. */
const RANK: { readonly [Status in BuiltInToolStatus['status']]: number } = {
  in_progress: 0,
  searching: 1,
  interpreting: 1,
  completed: 2,
  failed: 2,
}

export function createBuilderCalls(): BuilderCalls {
  const calls = new Map<string, Call>()
  let lateNames = 0

  function begin(id: string, isNamed: boolean): Call {
    const call: Call = { isNamed, lateName: undefined, input: undefined, status: 'in_progress', isDone: false }
    calls.set(id, call)
    return call
  }

  /** The call and, if it was never announced, the event that starts it. */
  function findOrBegin(id: string): [Call, StreamEvent[]] {
    const existing = calls.get(id)
    if (existing !== undefined) return [existing, []]
    const meta = { millrace: { orphan: true } }
    return [begin(id, false), [{ type: 'tool-start', callId: id, name: 'unknown', runBy: 'agent', meta }]]
  }

  return {
    has: (id) => calls.has(id),
    start({ id, name }) {
      if (calls.has(id)) return []
      begin(id, true)
      return [{ type: 'tool-start', callId: id, name, runBy: 'agent' }]
    },
    nameLate({ id, name }) {
      const call = calls.get(id)
      if (call === undefined || call.isNamed) return false
      call.isNamed = true
      call.lateName = name
      lateNames++
      return true
    },
    lateName: (id) => calls.get(id)?.lateName,
    hasLateNames: () => lateNames > 0,
    input({ id, args }) {
      const [call, start] = findOrBegin(id)
      return [...start, ...setInput(id, call, args)]
    },
    complete({ id, output = null, error }) {
      const [call, start] = findOrBegin(id)
      const status = error === undefined ? 'ok' : 'error'
      return [...start, ...end(id, call, { status, output, ...(error !== undefined && { error }) })]
    },
    advance(event) {
      const { id, type, code } = event
      const existing = calls.get(id)
      const call = existing ?? begin(id, true)
      const name = type.slice(0, -'_call'.length)
      const events: StreamEvent[] = existing ? [] : [{ type: 'tool-start', callId: id, name, runBy: 'provider' }]
      const codeEvents = code === undefined ? [] : codeEventsOf(id, call, code)
      return [...events, ...codeEvents, ...advanceTo(call, event, codeEvents.length > 0)]
    },
    cancel(id) {
      const call = calls.get(id)
      return call === undefined ? [] : end(id, call, { status: 'cancelled', output: null })
    },
    open: () => [...calls].filter(([, call]) => !call.isDone).map(([id]) => id),
  }
}

function setInput(id: string, call: Call, input: Json): StreamEvent[] {
  const text = JSON.stringify(input)
  if (call.isDone || call.input === text) return []
  call.input = text
  return [{ type: 'tool-input', callId: id, input }]
}

function ensureInput(id: string, call: Call): StreamEvent[] {
  return call.input === undefined ? setInput(id, call, {}) : []
}

function end(
  id: string,
  call: Call,
  result: Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>,
): StreamEvent[] {
  if (call.isDone) return []
  const input = ensureInput(id, call)
  call.isDone = true
  return [...input, { type: 'tool-output', callId: id, ...result }]
}

/** Code is the call's input. Code after the result becomes progress, because a finished call keeps its input. */
function codeEventsOf(id: string, call: Call, code: string): StreamEvent[] {
  if (!call.isDone) return setInput(id, call, { code })
  const text = JSON.stringify({ code })
  if (call.input === text) return []
  call.input = text
  return [{ type: 'tool-progress', callId: id, channel: 'data', data: { code } }]
}

/** A new input makes a running call look ready again, so that its status is emitted once more. */
function advanceTo(call: Call, { id, type, status }: BuiltInToolStatus, hasNewInput: boolean): StreamEvent[] {
  const isNew = RANK[status] > RANK[call.status]
  if (call.isDone || !(isNew || hasNewInput)) return []
  if (isNew) call.status = status
  if (call.status === 'in_progress') return []
  if (call.status === 'completed') return end(id, call, { status: 'ok', output: null })
  if (call.status === 'failed') return end(id, call, { status: 'error', output: null, error: `${type} failed` })
  const data = { status: call.status }
  return [...ensureInput(id, call), { type: 'tool-progress', callId: id, channel: 'data', data }]
}
