import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'

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

export interface Calls {
  get(callId: string): Call | undefined
  /** Records an event that is about to be emitted. */
  note(event: StreamEvent): void
  /** The call that a result without an id answers: the oldest call of its agent that has no result. */
  oldestOf(agentId: string | undefined): string | undefined
  /** Of the calls that are not taken: that of a subagent with this task, else the oldest that started a subagent. */
  subagentCall(task: string | undefined, isTaken: (callId: string) => boolean): string | undefined
  /** Whether a call of the main agent has no result. */
  isWaiting(): boolean
}

const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent'])

export function createCalls(): Calls {
  const calls = new Map<string, Call>()

  function find(fits: (call: Call, callId: string) => boolean): string | undefined {
    for (const [callId, call] of calls) if (fits(call, callId)) return callId
    return undefined
  }

  return {
    get: (callId) => calls.get(callId),
    note(event) {
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
    oldestOf: (agentId) => find((call) => !call.isAnswered && call.agentId === agentId),
    subagentCall(task, isTaken) {
      const isFree = (call: Call, callId: string) => call.task !== undefined && !isTaken(callId)
      return find((call, callId) => isFree(call, callId) && call.task === task) ?? find(isFree)
    },
    isWaiting: () => find((call) => !call.isAnswered && call.agentId === undefined) !== undefined,
  }
}

/** Returns an empty string if a subagent is named without a task, and undefined if none is named. */
function taskOf({ prompt, description, subagent_type }: JsonObject): string | undefined {
  const text = [prompt, description].find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof text === 'string') return text
  return typeof subagent_type === 'string' ? '' : undefined
}

/** The name of an MCP server's tool is `mcp__<server>__<tool>`. */
const OF_SERVER = /^mcp__(.+?)__/

/** A call as the agent makes it: the agent runs its tools, except those that the provider runs. */
export function fromAgent(event: EventOf<'tool-start'>): EventOf<'tool-start'> {
  const server = event.server ?? OF_SERVER.exec(event.name)?.[1]
  return {
    ...event,
    runBy: event.runBy === 'client' ? 'agent' : event.runBy,
    ...(server !== undefined && { server }),
  }
}
