import { remember } from '../../data/remember.ts'
import type { SubagentStatus, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Calls } from './calls.ts'
import type { Line } from './raw.ts'
import { textOf } from './tool-results.ts'

/** Stands for the main agent among the agents of stored lines. */
const MAIN = ''

const ENDINGS: { readonly [Status in ToolStatus]: SubagentStatus } = {
  ok: 'done',
  error: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
}

/** Assigns lines to agents. The id of a subagent is the id of the call that started it. */
export interface Subagents {
  /** The agent of a line; undefined for the main agent. The prompt of a user's line identifies a stored subagent. */
  agentOf(line: Line, prompt: string | undefined): string | undefined
  /** The subagent's start, unless its call implies it. */
  announce(agentId: string | undefined, line: Line, task?: string): StreamEvent[]
  /** Keeps the final report of a subagent whose call has no result yet. The result wraps the report in other text. */
  report(agentId: string, status: SubagentStatus, summary: string | undefined): void
  /** The end of a subagent whose call gets its result now, if the result only wraps the report. */
  endAfterReport(callId: string, result: StreamEvent | undefined): StreamEvent[]
  /** The end of an announced subagent whose call has its result. */
  endAfterResult(output: StreamEvent): StreamEvent[]
  /** Links a call to the subagent id in its result, which stored lines use too. */
  linkCall(callId: string, agentId: unknown): void
  isAnnounced(agentId: string): boolean
  end(agentId: string, status: SubagentStatus, summary: string | undefined): StreamEvent
  /** Ends the subagents that no call started, for a stream that ended well. */
  endUncalled(): StreamEvent[]
}

export function createSubagents(calls: Calls): Subagents {
  const announced = new Map<string, true>()
  /** The agent of each stored line and of each subagent's own id. */
  const sidechains = new Map<string, string>()
  const claimedCalls = new Map<string, true>()
  const reports = new Map<string, readonly [SubagentStatus, string | undefined]>()
  let isMainSeen = false

  /** A stored subagent does not name its call. Its first line repeats the task of the call. */
  function sidechainOf({ uuid, parentUuid, agentId }: Line, prompt: string | undefined): string {
    const agent = sidechains.get(agentId ?? '') ?? sidechains.get(parentUuid ?? '')
    if (agent !== undefined) return agent
    if (!isMainSeen) return MAIN
    return calls.subagentCall(prompt, (callId) => claimedCalls.has(callId)) ?? agentId ?? uuid ?? 'sidechain'
  }

  function end(agentId: string, status: SubagentStatus, summary: string | undefined): StreamEvent {
    announced.delete(agentId)
    return { type: 'subagent-end', agentId, status, ...(summary !== undefined && { summary }) }
  }

  return {
    agentOf(line, prompt) {
      const parent = line.parent_tool_use_id ?? line.parentToolUseID
      if (typeof parent === 'string' && parent !== '') return parent
      if (line.isSidechain !== true) {
        isMainSeen = true
        return undefined
      }
      const agent = sidechainOf(line, prompt)
      remember(claimedCalls, agent, true)
      for (const id of [line.uuid, line.agentId]) if (typeof id === 'string') remember(sidechains, id, agent)
      return agent === MAIN ? undefined : agent
    },
    announce(agentId, line, task) {
      if (agentId === undefined || announced.has(agentId)) return []
      const call = calls.get(agentId)
      if (call?.task !== undefined) return []
      remember(announced, agentId, true)
      const isCalled = call !== undefined || Boolean(line.parent_tool_use_id ?? line.parentToolUseID)
      const announcedTask = task ?? line.task_description ?? undefined
      return [
        {
          type: 'subagent-start',
          agentId,
          name: line.subagent_type ?? call?.name ?? 'subagent',
          ...(announcedTask !== undefined && { task: announcedTask }),
          ...(isCalled && { callId: agentId }),
          ...(call?.agentId !== undefined && { parentAgentId: call.agentId }),
        },
      ]
    },
    report(agentId, status, summary) {
      remember(reports, agentId, [status, summary])
    },
    endAfterReport(callId, result) {
      const [status, summary = ''] = reports.get(callId) ?? []
      reports.delete(callId)
      const resultText = result?.type === 'tool-output' ? (textOf(result.output) ?? '') : ''
      const isWrapped =
        summary !== '' &&
        collapseSpaces(resultText) !== collapseSpaces(summary) &&
        collapseSpaces(resultText).includes(collapseSpaces(summary))
      return status !== undefined && isWrapped ? [end(callId, status, summary)] : []
    },
    endAfterResult(output) {
      if (output.type !== 'tool-output' || !announced.has(output.callId)) return []
      const { callId, status } = output as EventOf<'tool-output'>
      if (calls.get(callId)?.isLaunched) return []
      return [end(callId, ENDINGS[status], textOf(output.output) || undefined)]
    },
    linkCall(callId, agentId) {
      if (typeof agentId === 'string' && calls.get(callId)?.task !== undefined) remember(sidechains, agentId, callId)
    },
    isAnnounced: (agentId) => announced.has(agentId),
    end,
    endUncalled() {
      const uncalled = [...announced.keys()].filter((agentId) => calls.get(agentId) === undefined)
      return uncalled.map((agentId) => end(agentId, 'done', undefined))
    },
  }
}

/** The harness indents what it wraps. */
const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()
