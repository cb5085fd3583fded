import { remember } from '../data/remember.ts'
import type { EventType, StreamEvent } from '../events.ts'

/** What an agent does. All other events are of the run, of a message or of the list that they change. */
const WORK: ReadonlySet<EventType> = new Set<EventType>([
  ...(['block-start', 'block-delta', 'block-patch', 'block-end', 'status', 'source', 'file', 'data'] as const),
  ...(['tool-start', 'tool-input-delta', 'tool-input', 'tool-progress', 'tool-output', 'approval'] as const),
])

/**
 * Assigns what a stream says between the start and the end of a subagent to that subagent, for formats whose agent waits
 * while its subagent works and whose records name no agent. While several are open, nothing is assigned: it could be the
 * work of any of them. The format marks subagents whose end it does not report: they are not waited for.
 */
export function createAttribution(): (event: StreamEvent) => StreamEvent {
  const open = new Set<string>()
  /** By block and by call, the subagent that began it; undefined for those of the main agent. */
  const owners = new Map<string, string | undefined>()

  function ownerOf(event: StreamEvent): string | undefined {
    const [only] = open.size === 1 ? open : []
    const key = keyOf(event)
    if (key === undefined) return only
    const isNew = event.type === 'block-start' || event.type === 'tool-start' || !owners.has(key)
    return isNew ? remember(owners, key, only) : owners.get(key)
  }

  return (event) => {
    const isWaitedFor = event.type === 'subagent-start' && event.meta?.millrace?.subagentOp !== 'spawn'
    if (isWaitedFor) open.add(event.agentId)
    if (event.type === 'subagent-end') open.delete(event.agentId)
    if (event.agentId !== undefined || !WORK.has(event.type)) return event
    const agentId = ownerOf(event)
    return agentId === undefined ? event : { ...event, agentId }
  }
}

/** The block or the call that an event belongs to. */
function keyOf(event: StreamEvent): string | undefined {
  if ('blockId' in event && event.blockId !== undefined) return `block ${event.blockId}`
  return 'callId' in event && event.callId !== undefined ? `call ${event.callId}` : undefined
}
