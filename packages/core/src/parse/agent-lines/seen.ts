import { forgetOldest } from '../../data/remember.ts'
import type { RunError, TodoItem } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { namesIn } from '../kit/rows.ts'

/** The maximum number of calls without a result: memory must stay bounded in a long run. */
const MAX_OPEN = 1000

interface OpenCall {
  readonly callId: string
  readonly name: string
  /** `announced`: its input follows; `given`: it has its input; `drawn`: todos or a subagent are shown instead. */
  readonly state: 'announced' | 'given' | 'drawn'
}

export type Seen = ReturnType<typeof createSeen>

/** The calls and subagents that are open: lines carry few ids, so later lines find their call here. */
export function createSeen() {
  const calls = new Map<string, OpenCall>()
  const subagents = new Map<string, EventOf<'subagent-start'>>()
  let callCount = 0
  let agentCount = 0
  let todos: readonly TodoItem[] = []
  let failure: RunError | undefined

  function setState(state: OpenCall['state'], callId: string | undefined): void {
    const call = callId === undefined ? undefined : calls.get(callId)
    if (call !== undefined && call.state !== 'drawn') calls.set(call.callId, { ...call, state })
  }

  const rows: { readonly [Type in StreamEvent['type']]?: (event: EventOf<Type>) => void } = {
    'tool-start'({ callId, name }) {
      callCount++
      calls.set(callId, { callId, name, state: 'announced' })
      forgetOldest(calls, MAX_OPEN)
    },
    'tool-input': ({ callId }) => setState('given', callId),
    'tool-output'({ callId }) {
      if (!calls.delete(callId)) callCount++
    },
    'subagent-start'(event) {
      agentCount++
      subagents.set(event.agentId, event)
      forgetOldest(subagents, MAX_OPEN)
      setState('drawn', event.callId)
    },
    'subagent-end'({ agentId }) {
      subagents.delete(agentId)
    },
    todos(event) {
      if (event.op === 'set') todos = event.items
      setState('drawn', event.callId)
    },
    error({ message, code }) {
      failure = { message, ...(code !== undefined && { code }) }
    },
    'run-end'({ error }) {
      failure = error
    },
  }
  const table = new Map(Object.entries(rows)) as Map<string, (event: StreamEvent) => void>

  function find(names: readonly string[], fits: (call: OpenCall) => boolean): OpenCall | undefined {
    for (const call of calls.values()) {
      if ((names.length === 0 || names.includes(call.name)) && fits(call)) return call
    }
    return undefined
  }

  return {
    note(event: StreamEvent): void {
      if (!CLOSING.has(event.type)) failure = undefined
      table.get(event.type)?.(event)
    },
    isOpen: (callId: string) => calls.has(callId),
    /** The oldest open call of these names, or of all names if none are given. */
    oldestCall: (...names: readonly string[]) => find(names, () => true),
    /** The oldest call of these names that has no input yet. */
    announcedCall: (...names: readonly string[]) => find(names, ({ state }) => state === 'announced'),
    /** The oldest call of these names for which no todos and no subagent are shown. */
    undrawnCall: (...names: readonly string[]) => find(names, ({ state }) => state !== 'drawn'),
    /** An id for a call without one, made from its position. */
    nextCallId: () => `call-${callCount + 1}`,
    nextAgentId: () => `agent-${agentCount + 1}`,
    openSubagents: () => [...subagents.values()],
    todos: () => todos,
    /** The last error, if only the end has followed it. */
    failure: () => failure,
  }
}

/** Events that may follow the error that ended a run: any other event means that the agent continued. */
const CLOSING = namesIn('error run-end message-end step-end block-end subagent-end usage metadata raw')
