import { remember } from '../../data/remember.ts'
import type { SubagentStatus, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Calls } from './calls.ts'
import type { Line } from './raw.ts'
import { textOf } from './tool-results.ts'

/** Who the main agent is, where a stored line must be remembered as its own. */
const MAIN = ''

const ENDINGS: { readonly [Status in ToolStatus]: SubagentStatus } = {
  ok: 'done',
  error: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
}

/** Whose line is whose. A subagent goes by the id of the call that started it. */
export interface Subagents {
  /** The agent of a line; `words` are those of a user's line, by which a stored subagent is found. */
  of(line: Line, words: string | undefined): string | undefined
  /** The subagent's start, where the call does not tell it by itself. */
  announce(agentId: string | undefined, line: Line, task?: string): StreamEvent[]
  /** What a subagent that is still waited for has said in the end: its call's result wraps it in other words. */
  report(agentId: string, status: SubagentStatus, summary: string | undefined): void
  /** The end of a subagent that has reported and whose call gets its result now, where that only wraps the report. */
  reported(callId: string, result: StreamEvent | undefined): StreamEvent[]
  /** The end of a subagent that was announced here and whose call has its result. */
  answered(output: StreamEvent): StreamEvent[]
  /** A result names the subagent that gave it, as its stored lines do. */
  name(callId: string, agentId: unknown): void
  isAnnounced(agentId: string): boolean
  end(agentId: string, status: SubagentStatus, summary: string | undefined): StreamEvent
  /** The ends of those that no call started, where the stream itself ended well. */
  rest(): StreamEvent[]
}

export function createSubagents(calls: Calls): Subagents {
  const announced = new Map<string, true>()
  /** Stored lines and subagents' own ids, each with the agent that it belongs to. */
  const sidechains = new Map<string, string>()
  const taken = new Map<string, true>()
  const reports = new Map<string, readonly [SubagentStatus, string | undefined]>()
  let isMainSeen = false

  /** A stored subagent names its call nowhere: its first line says what the call asked. */
  function sidechainOf({ uuid, parentUuid, agentId }: Line, words: string | undefined): string {
    const known = sidechains.get(agentId ?? '') ?? sidechains.get(parentUuid ?? '')
    if (known !== undefined) return known
    if (!isMainSeen) return MAIN
    return calls.asking(words, (callId) => taken.has(callId)) ?? agentId ?? uuid ?? 'sidechain'
  }

  function end(agentId: string, status: SubagentStatus, summary: string | undefined): StreamEvent {
    announced.delete(agentId)
    return { type: 'subagent-end', agentId, status, ...(summary !== undefined && { summary }) }
  }

  return {
    of(line, words) {
      const parent = line.parent_tool_use_id ?? line.parentToolUseID
      if (typeof parent === 'string' && parent !== '') return parent
      if (line.isSidechain !== true) {
        isMainSeen = true
        return undefined
      }
      const agent = sidechainOf(line, words)
      remember(taken, agent, true)
      for (const id of [line.uuid, line.agentId]) if (typeof id === 'string') remember(sidechains, id, agent)
      return agent === MAIN ? undefined : agent
    },
    announce(agentId, line, task) {
      if (agentId === undefined || announced.has(agentId)) return []
      const call = calls.get(agentId)
      if (call?.task !== undefined) return []
      remember(announced, agentId, true)
      const isCalled = call !== undefined || Boolean(line.parent_tool_use_id ?? line.parentToolUseID)
      const asked = task ?? line.task_description ?? undefined
      return [
        {
          type: 'subagent-start',
          agentId,
          name: line.subagent_type ?? call?.name ?? 'subagent',
          ...(asked !== undefined && { task: asked }),
          ...(isCalled && { callId: agentId }),
          ...(call?.agentId !== undefined && { parentAgentId: call.agentId }),
        },
      ]
    },
    report(agentId, status, summary) {
      remember(reports, agentId, [status, summary])
    },
    reported(callId, result) {
      const [status, summary = ''] = reports.get(callId) ?? []
      reports.delete(callId)
      const words = result?.type === 'tool-output' ? (textOf(result.output) ?? '') : ''
      const isWrapped = summary !== '' && spaced(words) !== spaced(summary) && spaced(words).includes(spaced(summary))
      return status !== undefined && isWrapped ? [end(callId, status, summary)] : []
    },
    answered(output) {
      if (output.type !== 'tool-output' || !announced.has(output.callId)) return []
      const { callId, status } = output as EventOf<'tool-output'>
      if (calls.get(callId)?.isLaunched) return []
      return [end(callId, ENDINGS[status], textOf(output.output) || undefined)]
    },
    name(callId, agentId) {
      if (typeof agentId === 'string' && calls.get(callId)?.task !== undefined) remember(sidechains, agentId, callId)
    },
    isAnnounced: (agentId) => announced.has(agentId),
    end,
    rest() {
      const uncalled = [...announced.keys()].filter((agentId) => calls.get(agentId) === undefined)
      return uncalled.map((agentId) => end(agentId, 'done', undefined))
    },
  }
}

/** The harness indents what it wraps. */
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
