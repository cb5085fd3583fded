import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../events.ts'
import { createAgentIds } from './agent-ids.ts'

const start = (agentId: string, parentAgentId?: string): StreamEvent => ({
  type: 'subagent-start',
  agentId,
  name: 'reader',
  ...(parentAgentId !== undefined && { parentAgentId }),
})
const end = (agentId: string): StreamEvent => ({ type: 'subagent-end', agentId, status: 'done' })
const line = (agentId?: string): StreamEvent => ({
  type: 'status',
  message: 'x',
  level: 'info',
  ...(agentId !== undefined && { agentId }),
})

/** The agents that the events are emitted for, each with its parent. */
function agentsOf(...events: readonly StreamEvent[]): string[] {
  const { withAgentIds } = createAgentIds()
  return events.map(withAgentIds).map((event) => {
    const parent = event.type === 'subagent-start' && event.parentAgentId
    return `${event.agentId ?? 'main'}${parent ? ` of ${parent}` : ''}`
  })
}

describe('the ids of subagents', () => {
  it('are new for each start after an end', () => {
    const round = [start('a'), line('a'), end('a')]
    expect(agentsOf(...round, ...round, ...round)).toEqual([
      ...['a', 'a', 'a'],
      ...['a~2', 'a~2', 'a~2'],
      ...['a~3', 'a~3', 'a~3'],
    ])
  })

  it('stay while a subagent is open, however often it is started, and after its end until it starts again', () => {
    expect(agentsOf(start('a'), start('a'), end('a'), line('a'), end('a'), start('a'))).toEqual([
      ...['a', 'a', 'a', 'a', 'a'],
      'a~2',
    ])
  })

  it('name the parent as it was emitted, whether it is open or has ended', () => {
    const twice = [start('p'), end('p'), start('p')]
    expect(agentsOf(...twice, start('c', 'p'), end('p'), start('d', 'p'), start('e', 'unseen')).slice(3)).toEqual([
      'c of p~2',
      'p~2',
      'd of p~2',
      'e of unseen',
    ])
  })

  it('never equal an id of the stream', () => {
    expect(agentsOf(start('a~2'), start('a'), end('a'), start('a'))).toEqual(['a~2', 'a', 'a', 'a~3'])
  })

  it('leave events of the main agent, and those that need no change, as they are', () => {
    const { withAgentIds } = createAgentIds()
    for (const event of [line(), start('a'), line('a')]) expect(withAgentIds(event)).toBe(event)
  })
})
