import type { TodoItem } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import { createUsageTotal } from '../../meaning/usage-total.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { blockRows } from './blocks.ts'
import { dataPart } from './chunk.ts'
import { runRows } from './finish.ts'
import { createMessages } from './messages.ts'
import { partRows } from './parts.ts'
import type { Profile } from './profile.ts'
import type { Response } from './response.ts'
import { toolRows } from './tools.ts'

/** An event that the protocol has no part for is a data part with an id, so that a later one replaces it. */
export function defaultProfile(response: Response): Profile {
  const messages = createMessages(response)
  const steps = stepRows(response)
  const finishMetadata = () => {
    const usage = steps.usage()
    return usage === undefined ? {} : { usage: defined({ ...usage }) }
  }
  const ending = { closeLoose() {}, finishMetadata, stepReason: steps.reason }
  const rows: Rows = {
    ...runRows(response, ending),
    ...messages.rows,
    ...steps.rows,
    'message-start'(event) {
      steps.next(event.agentId)
      messages.rows['message-start'](event)
    },
    ...blockRows(response, messages),
    ...toolRows(response, messages),
    ...partRows(response, messages),
    ...activityRows(response),
  }
  return { ...ending, rows }
}

/** The steps of the main agent, and the usage. Steps of subagents run in parallel and only count for the usage. */
function stepRows(response: Response) {
  const usage = createUsageTotal()
  let reason: string | undefined
  const emitUsage = () =>
    response.emit(chunkOf('data-usage', { id: 'usage', data: defined({ ...usage.total(), ...stop() }) }))
  const stop = () => ({ stopReason: reason })
  const rows: Pick<Rows, 'step-start' | 'step-end' | 'usage'> = {
    'step-start'({ agentId }) {
      usage.nextStep(agentId)
      if (agentId !== undefined) return
      reason = undefined
      response.startStep()
    },
    'step-end'(event) {
      if (event.agentId !== undefined) return
      reason = event.reason
      if (reason !== undefined && usage.total() !== undefined) emitUsage()
      response.endStep()
    },
    usage(event) {
      usage.add(event)
      emitUsage()
    },
  }
  return { rows, usage: usage.total, next: usage.nextStep, reason: () => reason }
}

/** Todo lists, statuses and subagents. */
function activityRows({ emit, partId }: Response): Pick<Rows, 'todos' | 'status' | 'subagent-start' | 'subagent-end'> {
  const lists = new Map<string, readonly TodoItem[]>()
  const agents = new Map<string, Fields>()
  let statuses = 0

  function endAgent(event: EventOf<'subagent-end'>): void {
    const { agentId, status, summary } = event
    emit(dataPart('subagent', agentId, { ...agents.get(agentId), state: status, summary }, event))
    agents.delete(agentId)
  }

  return {
    todos(event) {
      const list = todosAfter(lists.get(event.listId) ?? [], event)
      lists.set(event.listId, list)
      const items = list.map((item) => ({ ...item }))
      emit(dataPart('todos', event.listId, { items, callId: event.callId }, event))
    },
    // One part per status: a single part of all statuses would have to be sent again for each.
    status(event) {
      const { message, level } = event
      emit(dataPart('status', partId(`status_${++statuses}`), { message, level }, event))
    },
    'subagent-start'(event) {
      const { agentId, name, task, callId, parentAgentId } = event
      const agent = { name, task, callId, parentAgentId }
      agents.set(agentId, agent)
      emit(dataPart('subagent', agentId, { ...agent, state: 'live' }, event))
    },
    'subagent-end': endAgent,
  }
}
