import type { EventOf, StreamEvent } from '@millrace/core/events'

/**
 * The stream in which a question ends the open blocks of the agent that asks and of the agent of its call. What followed
 * in such a block is left out.
 */
export function withEndedProse(events: readonly StreamEvent[]): StreamEvent[] {
  const open = new Map<string, EventOf<'block-start'>>()
  const ended = new Set<string>()
  const callAgents = new Map<string, string | undefined>()

  function endsBefore({ agentId, callId }: EventOf<'approval'>): readonly StreamEvent[] {
    const asking = new Set([agentId, callId === undefined ? agentId : callAgents.get(callId)])
    return [...open.values()].flatMap(({ blockId, agentId, messageId }) => {
      if (!asking.has(agentId)) return []
      open.delete(blockId)
      ended.add(blockId)
      const scope = { ...(agentId !== undefined && { agentId }), ...(messageId !== undefined && { messageId }) }
      return [{ type: 'block-end', blockId, ...scope }]
    })
  }

  return events.flatMap((event): readonly StreamEvent[] => {
    if (event.type === 'tool-start') callAgents.set(event.callId, event.agentId)
    if (event.type === 'block-start') open.set(event.blockId, event)
    if (event.type === 'block-end') open.delete(event.blockId)
    const isLate = (event.type === 'block-delta' || event.type === 'block-end') && ended.has(event.blockId)
    if (isLate) return []
    return event.type === 'approval' && event.state === 'requested' ? [...endsBefore(event), event] : [event]
  })
}
