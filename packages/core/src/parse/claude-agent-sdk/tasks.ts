import { remember } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { SILENT, understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import { objectIn, ownFields, status, textIn } from './fields.ts'
import type { SystemLine } from './raw.ts'
import type { Subagents } from './subagents.ts'

const ENDINGS: ReadonlyMap<unknown, SubagentStatus> = new Map([
  ['completed', 'done'],
  ['failed', 'failed'],
  ['stopped', 'cancelled'],
  ['killed', 'cancelled'],
])

export interface Tasks {
  /** The events of a line about a task; undefined for any other line. */
  read(line: SystemLine): readonly StreamEvent[] | undefined
}

/** Reads lines about work that a call started: a subagent, or a command in the background. */
export function createTasks(calls: Calls, subagents: Subagents): Tasks {
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
    if (message === calls.get(callId ?? '')?.description) return SILENT
    const event = status(message, level)
    return [isSubagent(callId) ? { ...event, agentId: callId } : event]
  }

  const rows: { readonly [subtype: string]: (line: SystemLine) => readonly StreamEvent[] } = {
    task_started(line) {
      const taskId = textIn(line, 'task_id')
      const callId = textIn(line, 'tool_use_id') ?? taskId
      if (taskId !== undefined && callId !== undefined) remember(callIdsByTask, taskId, callId)
      const isAgent = line.task_type === 'local_agent' || typeof line.subagent_type === 'string'
      const announced = isAgent ? subagents.announce(callId, line, textIn(line, 'prompt')) : []
      const events = [...announced, ...statusNote(callId, textIn(line, 'description'))]
      const isReadable = callId !== undefined && typeof (line.description ?? '') === 'string'
      return isReadable ? understood(events) : events
    },
    task_progress(line) {
      const callId = callIdOf(line)
      const call = callId === undefined ? undefined : calls.get(callId)
      if (callId === undefined || call === undefined || call.isAnswered)
        return statusNote(callId, textIn(line, 'summary', 'description', 'last_tool_name'))
      const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
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
      const ending = ENDINGS.get(line.status) ?? 'done'
      const runsOn = callId !== undefined && (calls.get(callId)?.isLaunched ?? true)
      if (isSubagent(callId) && runsOn) return [subagents.end(callId, ending, summary)]
      if (isSubagent(callId) && calls.get(callId)?.isAnswered === false) {
        subagents.report(callId, ending, summary)
        return SILENT
      }
      return statusNote(callId, summary, ending === 'done' ? undefined : 'warn')
    },
  }
  const table = new Map(Object.entries(rows))

  return { read: (line) => table.get(line.subtype ?? '')?.(line) }
}
