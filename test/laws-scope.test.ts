import type { StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { normalized } from '@millrace/testkit/conserve'
import { holds } from '@millrace/testkit/property'
import { entriesOf } from '@millrace/testkit/runs'
import { roundsOf, runOf, scenarios } from '@millrace/testkit/scenarios'
import { wellFormed } from '@millrace/testkit/streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** Events that continue a block or a call, whose start has named the agent. */
const CONTINUES: ReadonlySet<string> = new Set([
  'block-delta',
  'block-patch',
  'block-end',
  'tool-input-delta',
  'tool-input',
  'tool-progress',
  'tool-output',
])

/** The stream of a framework that names the agent only where something begins. */
function namedOnce(events: readonly StreamEvent[]): StreamEvent[] {
  return events.map((event) => {
    if (!CONTINUES.has(event.type)) return event
    const { agentId: _agentId, ...rest } = event
    return rest as StreamEvent
  })
}

const shown = (events: readonly StreamEvent[]) => fold(entriesOf(normalized(events))).chatEvents

/** Calls of tools that normalize adds something to, made by a subagent. */
const helpers: readonly { readonly name: string; readonly calls: readonly (readonly [string, object, string])[] }[] = [
  { name: 'a list of todos', calls: [['TodoWrite', { todos: [{ content: 'Sow', status: 'pending' }] }, 'Done']] },
  {
    name: 'tasks that are created and updated',
    calls: [
      ['TaskCreate', { subject: 'Sow' }, 'Task #1 created'],
      ['TaskCreate', { subject: 'Reap' }, 'Task #2 created'],
      ['TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated'],
    ],
  },
  { name: 'a subagent of its own', calls: [['Task', { subagent_type: 'scout', prompt: 'Look' }, 'Seen']] },
]

function bySubagent(calls: readonly (readonly [string, object, string])[]): StreamEvent[] {
  const agentId = 'agent'
  return [
    { type: 'run-start' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    { type: 'subagent-start', agentId, name: 'worker' },
    ...calls.flatMap(([name, input, output], index): StreamEvent[] => [
      { type: 'tool-start', callId: `c${index}`, name, runBy: 'agent', agentId },
      { type: 'tool-input', callId: `c${index}`, input: JSON.parse(JSON.stringify(input)), agentId },
      { type: 'tool-output', callId: `c${index}`, status: 'ok', output, agentId },
    ]),
    { type: 'subagent-end', agentId, status: 'done' },
    { type: 'message-end', messageId: 'm' },
    { type: 'run-end', outcome: 'success' },
  ]
}

describe('an agent that is named only where its blocks and calls begin', () => {
  it.each(helpers)('makes $name as one that is always named', ({ calls }) => {
    const events = bySubagent(calls)
    expect(shown(namedOnce(events))).toEqual(shown(events))
    expect(JSON.stringify(shown(events))).toContain('"type":"subagent"')
  })

  it.each(scenarios)('is shown as one that is always named: $name', (scenario) => {
    const events = runOf(roundsOf(scenario, 2))
    expect(shown(namedOnce(events))).toEqual(shown(events))
  })

  it('is shown as one that is always named, for every stream', () => {
    holds(
      fc.property(wellFormed, (events) => {
        expect(shown(namedOnce(events))).toEqual(shown(events))
      }),
      60,
    )
  })
})
