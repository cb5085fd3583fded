import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { SubagentStatus, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import { SILENT, understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import type { Line, SystemLine } from './raw.ts'
import { objectIn, ownFields, status, textIn, textOf } from './raw.ts'

/** Stands for the main agent among the agents of stored lines. */
const MAIN = ''

const ENDINGS: { readonly [Status in ToolStatus]: SubagentStatus } = {
  ok: 'done',
  error: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
}

export type Subagents = ReturnType<typeof createSubagents>

/** Assigns lines to agents. The id of a subagent is the id of the call that started it. */
export function createSubagents(calls: Calls) {
  const announced = new Set<string>()
  /** The agent of each stored line and of each subagent's own id. */
  const sidechains = new Map<string, string>()
  const claimedCalls = new Set<string>()
  const reports = new Map<string, { readonly status: SubagentStatus; readonly summary: string | undefined }>()
  let isMainSeen = false

  /** A stored subagent does not name its call. Its first line repeats the task of the call. */
  function sidechainOf({ uuid, parentUuid, agentId }: Line, prompt: string | undefined): string {
    const agent = sidechains.get(agentId ?? '') ?? sidechains.get(parentUuid ?? '')
    if (agent !== undefined) return agent
    if (!isMainSeen) return MAIN
    return calls.subagentCall(prompt, (callId) => claimedCalls.has(callId)) ?? agentId ?? uuid ?? 'sidechain'
  }

  function end(agentId: string, endStatus: SubagentStatus, summary: string | undefined): StreamEvent {
    announced.delete(agentId)
    return { type: 'subagent-end', agentId, status: endStatus, ...present({ summary }) }
  }

  return {
    /** The agent of a line; undefined for the main agent. The prompt of a user's line identifies a stored subagent. */
    agentOf(line: Line, prompt: string | undefined): string | undefined {
      const parent = line.parent_tool_use_id ?? line.parentToolUseID
      if (typeof parent === 'string' && parent !== '') return parent
      if (line.isSidechain !== true) {
        isMainSeen = true
        return undefined
      }
      const agent = sidechainOf(line, prompt)
      rememberOne(claimedCalls, agent)
      for (const id of [line.uuid, line.agentId]) if (typeof id === 'string') remember(sidechains, id, agent)
      return agent === MAIN ? undefined : agent
    },
    /** Adds the subagent's start, unless its call implies it. Returns whether it did. */
    announce(out: Out, agentId: string | undefined, line: Line, task?: string): boolean {
      const call = calls.get(agentId)
      if (agentId === undefined || announced.has(agentId) || call?.task !== undefined) return false
      rememberOne(announced, agentId)
      const isCalled = call !== undefined || Boolean(line.parent_tool_use_id ?? line.parentToolUseID)
      const callId = isCalled ? agentId : undefined
      const name = line.subagent_type ?? call?.name ?? 'subagent'
      const fields = present({ task: task ?? line.task_description, callId, parentAgentId: call?.agentId })
      out.push({ type: 'subagent-start', agentId, name, ...fields })
      return true
    },
    /** Keeps the final report of a subagent whose call has no result yet. The result wraps the report in other text. */
    report(agentId: string, reportStatus: SubagentStatus, summary: string | undefined): void {
      remember(reports, agentId, { status: reportStatus, summary })
    },
    /** Adds the end of a subagent whose call gets its result now, if the result only wraps the report. */
    endAfterReport(out: Out, { callId, output }: EventOf<'tool-output'>): void {
      const report = reports.get(callId)
      reports.delete(callId)
      const summary = collapseSpaces(report?.summary ?? '')
      const resultText = collapseSpaces(textOf(output ?? ''))
      const isWrapped = summary !== '' && resultText !== summary && resultText.includes(summary)
      if (report !== undefined && isWrapped) out.push(end(callId, report.status, report.summary))
    },
    /** Adds the end of an announced subagent whose call has its result. */
    endAfterResult(out: Out, { callId, status: resultStatus, output }: EventOf<'tool-output'>): void {
      if (!announced.has(callId) || calls.get(callId)?.isLaunched) return
      out.push(end(callId, ENDINGS[resultStatus], textOf(output ?? '') || undefined))
    },
    /** Links a call to the subagent id in its result, which stored lines use too. */
    linkCall(callId: string, agentId: unknown): void {
      if (typeof agentId === 'string' && calls.get(callId)?.task !== undefined) remember(sidechains, agentId, callId)
    },
    isAnnounced: (agentId: string) => announced.has(agentId),
    end,
    /** Ends the subagents that no call started, for a stream that ended well. */
    endUncalled(): StreamEvent[] {
      const uncalled = [...announced].filter((agentId) => calls.get(agentId) === undefined)
      return uncalled.map((agentId) => end(agentId, 'done', undefined))
    },
  }
}

/** The harness indents what it wraps. */
const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()

const TASK_ENDINGS: ReadonlyMap<unknown, SubagentStatus> = new Map([
  ['completed', 'done'],
  ['failed', 'failed'],
  ['stopped', 'cancelled'],
  ['killed', 'cancelled'],
])

/** Reads lines about work that a call started, by subtype: a subagent, or a command in the background. */
export function createTaskRows(calls: Calls, subagents: Subagents) {
  const callIdsByTask = new Map<string, string>()

  function callIdOf(line: SystemLine): string | undefined {
    return textIn(line, 'tool_use_id') ?? callIdsByTask.get(textIn(line, 'task_id') ?? '')
  }

  function isSubagent(callId: string | undefined): callId is string {
    return callId !== undefined && (calls.get(callId)?.task !== undefined || subagents.isAnnounced(callId))
  }

  /** A status line where the task's work is shown, unless it repeats the description of the call. */
  function statusNote(callId: string | undefined, message: string | undefined, level?: 'warn'): readonly StreamEvent[] {
    if (message === undefined) return []
    if (message === calls.get(callId)?.description) return SILENT
    const event = status(message, level)
    return [isSubagent(callId) ? { ...event, agentId: callId } : event]
  }

  const rows: { readonly [subtype: string]: (line: SystemLine) => readonly StreamEvent[] } = {
    task_started(line) {
      const taskId = textIn(line, 'task_id')
      const callId = textIn(line, 'tool_use_id') ?? taskId
      if (taskId !== undefined && callId !== undefined) remember(callIdsByTask, taskId, callId)
      const isAgent = line.task_type === 'local_agent' || typeof line.subagent_type === 'string'
      const out: Out = []
      if (isAgent) subagents.announce(out, callId, line, textIn(line, 'prompt'))
      out.push(...statusNote(callId, textIn(line, 'description')))
      const isReadable = callId !== undefined && typeof (line.description ?? '') === 'string'
      return isReadable ? understood(out) : out
    },
    task_progress(line) {
      const callId = callIdOf(line)
      const call = calls.get(callId)
      if (callId === undefined || call === undefined || call.isAnswered)
        return statusNote(callId, textIn(line, 'summary', 'description', 'last_tool_name'))
      const agent = present({ agentId: call.agentId })
      return [{ type: 'tool-progress', callId, channel: 'data', data: ownFields(line), ...agent }]
    },
    task_updated(line) {
      const patch = objectIn(line, 'patch')
      const events = statusNote(callIdOf(line), textIn(patch, 'error'), 'warn')
      const isReadable = Object.keys(patch).length > 0 && typeof (patch.error ?? '') === 'string'
      return isReadable ? understood(events) : events
    },
    /** A subagent in the background ends here; any other ends with its call's result. */
    task_notification(line) {
      const callId = callIdOf(line)
      const summary = textIn(line, 'summary')
      const ending = TASK_ENDINGS.get(line.status) ?? 'done'
      const runsOn = callId !== undefined && (calls.get(callId)?.isLaunched ?? true)
      if (isSubagent(callId) && runsOn) return [subagents.end(callId, ending, summary)]
      if (isSubagent(callId) && calls.get(callId)?.isAnswered === false) {
        subagents.report(callId, ending, summary)
        return SILENT
      }
      return statusNote(callId, summary, ending === 'done' ? undefined : 'warn')
    },
  }
  return new Map(Object.entries(rows))
}
