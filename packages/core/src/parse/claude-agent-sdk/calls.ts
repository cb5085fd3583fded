import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { textIn } from './fields.ts'

/** The state of a tool call. */
export interface Call {
  readonly name: string
  readonly agentId: string | undefined
  hasInput: boolean
  isAnswered: boolean
  isDenied: boolean
  /** The task of the subagent that the call starts; undefined if the tool is not a known subagent tool. */
  task: string | undefined
  description: string | undefined
  /** The call returned at once, and its subagent keeps running. */
  isLaunched: boolean
}

const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent'])

export type Calls = ReturnType<typeof createCalls>

export function createCalls() {
  const calls = new Map<string, Call>()

  function find(fits: (call: Call, callId: string) => boolean): string | undefined {
    for (const [callId, call] of calls) if (fits(call, callId)) return callId
    return undefined
  }

  return {
    get: (callId: string | undefined) => (callId === undefined ? undefined : calls.get(callId)),
    /** Records an event that is about to be emitted. */
    note(event: StreamEvent): void {
      if (event.type === 'tool-start') {
        const { callId, name, agentId } = event
        const open = { hasInput: false, isAnswered: false, isDenied: false, isLaunched: false }
        remember(calls, callId, { name, agentId, ...open, task: undefined, description: undefined })
      } else if (event.type === 'tool-input') {
        const call = calls.get(event.callId)
        if (call === undefined) return
        call.hasInput = true
        const input = (event.input ?? {}) as JsonObject
        if (typeof input.description === 'string') call.description = input.description
        if (SUBAGENT_TOOLS.has(call.name)) call.task = taskOf(input)
      } else if (event.type === 'tool-output') {
        const call = calls.get(event.callId)
        if (call !== undefined) call.isAnswered = true
      }
    },
    /** The call that a result without an id answers: the oldest call of its agent that has no result. */
    oldestOf: (agentId: string | undefined) => find((call) => !call.isAnswered && call.agentId === agentId),
    /** Of the calls that are not taken: that of a subagent with this task, else the oldest that started a subagent. */
    subagentCall(task: string | undefined, isTaken: (callId: string) => boolean): string | undefined {
      const isFree = (call: Call, callId: string) => call.task !== undefined && !isTaken(callId)
      return find((call, callId) => isFree(call, callId) && call.task === task) ?? find(isFree)
    },
  }
}

/** Returns an empty string if a subagent is named without a task, and undefined if none is named. */
function taskOf(input: JsonObject): string | undefined {
  return textIn(input, 'prompt', 'description') ?? (typeof input.subagent_type === 'string' ? '' : undefined)
}

/** The name of an MCP server's tool is `mcp__<server>__<tool>`. */
const OF_SERVER = /^mcp__(.+?)__/

/** A call as the agent makes it: the agent runs its tools, except those that the provider runs. */
export function fromAgent(event: EventOf<'tool-start'>): EventOf<'tool-start'> {
  const server = event.server ?? OF_SERVER.exec(event.name)?.[1]
  return { ...event, runBy: event.runBy === 'client' ? 'agent' : event.runBy, ...present({ server }) }
}
