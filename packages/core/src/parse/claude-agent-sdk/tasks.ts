import { remember } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { SILENT, understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import { objectIn, ownFields, status, wordIn } from './fields.ts'
import type { SystemLine } from './raw.ts'
import type { Subagents } from './subagents.ts'

const ENDINGS: ReadonlyMap<unknown, SubagentStatus> = new Map([
  ['completed', 'done'],
  ['failed', 'failed'],
  ['stopped', 'cancelled'],
  ['killed', 'cancelled'],
])

export interface Tasks {
  /** The events of a line about a task; nothing where it is no such line. */
  read(line: SystemLine): readonly StreamEvent[] | undefined
}

/** Work that a call started: a subagent, or a command that runs in the background. */
export function createTasks(calls: Calls, subagents: Subagents): Tasks {
  const callOf = new Map<string, string>()

  function named(line: SystemLine): string | undefined {
    return wordIn(line, 'tool_use_id') ?? callOf.get(wordIn(line, 'task_id') ?? '')
  }

  function isSubagent(callId: string | undefined): callId is string {
    return callId !== undefined && (calls.get(callId)?.task !== undefined || subagents.isAnnounced(callId))
  }

  /** A line of status where the task's work is shown, unless the call says it already. */
  function note(callId: string | undefined, message: string | undefined, level?: 'warn'): readonly StreamEvent[] {
    if (message === undefined) return []
    if (message === calls.get(callId ?? '')?.description) return SILENT
    const event = status(message, level)
    return [isSubagent(callId) ? { ...event, agentId: callId } : event]
  }

  const rows: { readonly [subtype: string]: (line: SystemLine) => readonly StreamEvent[] } = {
    task_started(line) {
      const taskId = wordIn(line, 'task_id')
      const callId = wordIn(line, 'tool_use_id') ?? taskId
      if (taskId !== undefined && callId !== undefined) remember(callOf, taskId, callId)
      const isAgent = line.task_type === 'local_agent' || typeof line.subagent_type === 'string'
      const announced = isAgent ? subagents.announce(callId, line, wordIn(line, 'prompt')) : []
      const events = [...announced, ...note(callId, wordIn(line, 'description'))]
      const isReadable = callId !== undefined && typeof (line.description ?? '') === 'string'
      return isReadable ? understood(events) : events
    },
    task_progress(line) {
      const callId = named(line)
      const call = callId === undefined ? undefined : calls.get(callId)
      if (callId === undefined || call === undefined || call.isAnswered)
        return note(callId, wordIn(line, 'summary', 'description', 'last_tool_name'))
      const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
      return [{ type: 'tool-progress', callId, channel: 'data', data: ownFields(line), ...agent }]
    },
    task_updated(line) {
      const patch = objectIn(line, 'patch')
      const events = note(named(line), wordIn(patch, 'error'), 'warn')
      const isReadable = Object.keys(patch).length > 0 && typeof (patch.error ?? '') === 'string'
      return isReadable ? understood(events) : events
    },
    /** A subagent that was waited for ends with its call's result; one that ran on ends here. */
    task_notification(line) {
      const callId = named(line)
      const summary = wordIn(line, 'summary')
      const ending = ENDINGS.get(line.status) ?? 'done'
      const runsOn = callId !== undefined && (calls.get(callId)?.isLaunched ?? true)
      if (isSubagent(callId) && runsOn) return [subagents.end(callId, ending, summary)]
      if (isSubagent(callId) && calls.get(callId)?.isAnswered === false) {
        subagents.report(callId, ending, summary)
        return SILENT
      }
      return note(callId, summary, ending === 'done' ? undefined : 'warn')
    },
  }
  const table = new Map(Object.entries(rows))

  return { read: (line) => table.get(line.subtype ?? '')?.(line) }
}
