import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'

/** What is known of a tool call. */
export interface Call {
  readonly name: string
  readonly agentId: string | undefined
  hasInput: boolean
  isAnswered: boolean
  isDenied: boolean
  /** What a subagent was asked, where the call starts one in the way that every reader of events knows. */
  task: string | undefined
  description: string | undefined
  /** The call came back at once, and its subagent runs on. */
  isLaunched: boolean
}

export interface Calls {
  get(callId: string): Call | undefined
  /** Takes an event into account that is about to leave. */
  note(event: StreamEvent): void
  /** The call that a result without an id answers: the oldest of its agent that has none. */
  oldestOf(agentId: string | undefined): string | undefined
  /** The call that asked a subagent this, else the oldest that asked one anything, of those that are not taken. */
  asking(task: string | undefined, isTaken: (callId: string) => boolean): string | undefined
  /** Whether the main agent waits for a result. */
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
        if (calls.has(callId)) return
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
    asking(task, isTaken) {
      const isFree = (call: Call, callId: string) => call.task !== undefined && !isTaken(callId)
      return find((call, callId) => isFree(call, callId) && call.task === task) ?? find(isFree)
    },
    isWaiting: () => find((call) => !call.isAnswered && call.agentId === undefined) !== undefined,
  }
}

/** The empty string where a subagent is named and not told what to do. */
function taskOf({ prompt, description, subagent_type }: JsonObject): string | undefined {
  const words = [prompt, description].find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof words === 'string') return words
  return typeof subagent_type === 'string' ? '' : undefined
}
