import type { SubagentStatus, ToolStatus } from '../event-fields.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { type CreatePass, type PassRows, rowOf, scopeOf } from './pass.ts'
import { bareName, firstText, textOf } from './tool-values.ts'

/** The tools that start a subagent, by their bare names. */
const tools: ReadonlySet<string> = new Set([
  'Agent',
  'Task',
  'task',
  'call-agent',
  'call_agent',
  'call_subagent',
  'call_subagents',
  'delegate_task',
  'dispatch_agent',
  'run_subagent',
  'spawn_agent',
  'spawn_subagent',
])

const subagentStatuses: { readonly [Status in ToolStatus]: SubagentStatus } = {
  ok: 'done',
  error: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
}

/** Tools that name an agent by its id and pass on what it says as their own progress. */
const CALLS = /^call[-_]agent$/

function calledAgent(tool: string, input: JsonObject): string | undefined {
  return CALLS.test(bareName(tool)) ? firstText(input, 'agentId', 'agent_id', 'agent', 'name') : undefined
}

interface SubagentCall {
  readonly name: string
  readonly agentId: string | undefined
  readonly isBackground: boolean
  /** It passes on what its agent says as its own progress. */
  readonly isCalled: boolean
  /** `reported`: the stream itself reports the subagent, so nothing is added. */
  readonly state: 'announced' | 'started' | 'reported'
}

/** Adds the subagent that a tool starts, beside the call; it ends with the call unless it runs in the background. */
export const subagentTools: CreatePass = (emit) => {
  const calls = new Map<string, SubagentCall>()
  /** By call, the subagents that the stream reported before the call. */
  const earlySubagents = new Map<string, string>()
  /** By its id in the stream, a subagent that was started here under its call's id and then reported by the stream. */
  const callIdsByAgent = new Map<string, string>()

  function start(event: EventOf<'tool-input'>, call: SubagentCall, input: JsonObject): void {
    const type = firstText(input, 'subagent_type', 'agent_type') ?? calledAgent(call.name, input)
    const description = firstText(input, 'description')
    const task = firstText(input, 'prompt') ?? description ?? firstText(input, 'task', 'message')
    if (type === undefined && task === undefined) return
    const { callId } = event
    const parentAgentId = event.agentId ?? call.agentId
    calls.set(callId, { ...call, state: 'started', isBackground: input.run_in_background === true })
    emit({
      ...scopeOf(event),
      type: 'subagent-start',
      agentId: callId,
      name: type ?? description ?? call.name,
      ...(task !== undefined && { task }),
      callId,
      ...(parentAgentId !== undefined && { parentAgentId }),
    })
  }

  function end({ callId, status, output, sentAt }: EventOf<'tool-output'>): void {
    const summary = textOf(output)
    emit({
      ...(sentAt !== undefined && { sentAt }),
      type: 'subagent-end',
      agentId: callId,
      status: subagentStatuses[status],
      ...(summary !== undefined && { summary }),
    })
  }

  const rows: PassRows = {
    'tool-start'({ callId, name, agentId }) {
      if (!tools.has(bareName(name))) return
      calls.set(callId, {
        name,
        agentId,
        isBackground: false,
        isCalled: CALLS.test(bareName(name)),
        state: earlySubagents.has(callId) ? 'reported' : 'announced',
      })
    },
    'tool-input'(event) {
      const call = calls.get(event.callId)
      if (call?.state === 'announced' && isJsonObject(event.input)) start(event, call, event.input)
    },
    'tool-output'(event) {
      const call = calls.get(event.callId)
      const isStillRunning = event.status === 'ok' && (call?.isBackground || isLaunch(event.output))
      if (call?.state === 'started' && isStillRunning) return
      calls.delete(event.callId)
      if (call?.state === 'started') end(event)
    },
    'subagent-start'(event) {
      const callId = event.callId ?? event.agentId
      const call = calls.get(callId)
      if (call === undefined) earlySubagents.set(callId, event.agentId)
      else calls.set(callId, { ...call, state: 'reported' })
    },
    'subagent-end'({ agentId }) {
      calls.delete(agentId)
      for (const [callId, name] of earlySubagents) if (name === agentId) earlySubagents.delete(callId)
      for (const [name, callId] of callIdsByAgent) if (callId === agentId) callIdsByAgent.delete(name)
    },
  }

  /** A subagent that was started here keeps its id, whatever id the stream gives it later. */
  function unifyAgentId(event: StreamEvent): StreamEvent {
    if (event.type === 'subagent-start' && event.callId !== undefined && event.callId !== event.agentId) {
      if (calls.get(event.callId)?.state === 'started') callIdsByAgent.set(event.agentId, event.callId)
    }
    if (callIdsByAgent.size === 0) return event
    const agentId = callIdsByAgent.get(event.agentId ?? '')
    const parent = event.type === 'subagent-start' ? callIdsByAgent.get(event.parentAgentId ?? '') : undefined
    const named = agentId === undefined ? event : { ...event, agentId }
    return parent === undefined ? named : ({ ...named, parentAgentId: parent } as StreamEvent)
  }

  /** What a called agent says is the text of the subagent: the card of its call is not drawn. */
  function saidBySubagent(event: StreamEvent): StreamEvent {
    if (event.type !== 'tool-progress') return event
    const { callId: agentId, channel, text, data, percent, ...scope } = event
    const call = calls.get(agentId)
    const isSaid = call?.state === 'started' && call.isCalled && channel !== 'stderr'
    if (!isSaid || text === undefined || data !== undefined || percent !== undefined) return event
    return { ...scope, type: 'block-delta', blockId: `${agentId}:said`, text, agentId }
  }

  return {
    push(event) {
      const named = unifyAgentId(saidBySubagent(event))
      emit(named)
      rowOf(rows, named)?.(named)
    },
    end() {
      calls.clear()
      earlySubagents.clear()
      callIdsByAgent.clear()
    },
  }
}

/** Whether a call only launched its subagent: its output is then no answer, and the stream reports the end later. */
function isLaunch(output: Json): boolean {
  if (isJsonObject(output)) return typeof output.status === 'string' && /_launched$/.test(output.status)
  return /^\s*(async|remote|background)\b[^.\n]*\blaunched\b/i.test(textOf(output) ?? '')
}
