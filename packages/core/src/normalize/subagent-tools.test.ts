import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'
import { subagentTools } from './subagent-tools.ts'

const claude = { description: 'Look around', prompt: 'Find the mill.', subagent_type: 'scout' }

describe('subagent tools', () => {
  it('S0-57: start a subagent beside the call of a Task tool', () => {
    const events = [...call('Task', claude), output('ok', 'Found it.')]
    expect(runPass(subagentTools, events)).toEqual([
      events[0],
      events[1],
      { type: 'subagent-start', agentId: 'c', name: 'scout', task: 'Find the mill.', callId: 'c' },
      events[2],
      { type: 'subagent-end', agentId: 'c', status: 'done', summary: 'Found it.' },
    ])
  })

  it.each([
    ['Agent', claude, 'scout', 'Find the mill.'],
    ['task', { description: 'Look around', subagent_type: 'scout' }, 'scout', 'Look around'],
    ['task', { description: 'Look around' }, 'Look around', 'Look around'],
    ['mcp__crew__call_subagents', { prompt: 'Go.' }, 'mcp__crew__call_subagents', 'Go.'],
  ])('name the subagent of %s(%j) %j', (tool, input, name, task) => {
    expect(added(call(tool, input))).toEqual([{ type: 'subagent-start', agentId: 'c', name, task, callId: 'c' }])
  })

  it('ignore a tool that only has the name of one', () => {
    expect(added([...call('task', { id: 3 }), output('ok', 'done')])).toEqual([])
    expect(added([...call('Task', 'Find the mill.'), output('ok', 'done')])).toEqual([])
    expect(added([...call('Bash', claude), output('ok', 'done')])).toEqual([])
  })

  it.each([
    ['ok', 'done'],
    ['error', 'failed'],
    ['denied', 'cancelled'],
    ['cancelled', 'cancelled'],
  ] as const)('end the subagent of a call that is %s as %s', (status, expected) => {
    expect(added([...call('Task', claude), output(status, null)])[1]).toEqual({
      type: 'subagent-end',
      agentId: 'c',
      status: expected,
    })
  })

  it('use the text of the output as the summary', () => {
    const blocks = [{ type: 'text', text: 'One.' }, { type: 'image' }, { type: 'text', text: 'Two.' }]
    expect(added([...call('Task', claude), output('ok', blocks)])[1]).toMatchObject({ summary: 'One.\nTwo.' })
    expect(added([...call('Task', claude), output('ok', { any: 1 })])[1]).not.toHaveProperty('summary')
  })

  it('name the parent of a subagent that another one starts, its message and its time', () => {
    const scope = { agentId: 'p', messageId: 'm', sentAt: 5 }
    const [start, end] = added([...call('Task', claude).map((event) => ({ ...event, ...scope })), output('ok', '')])
    expect(start).toMatchObject({ agentId: 'c', parentAgentId: 'p', messageId: 'm', sentAt: 5 })
    expect(end).toMatchObject({ agentId: 'c' })
    const [named, ...rest] = call('Task', claude)
    if (named === undefined) throw new Error('a call has a start')
    expect(added([{ ...named, agentId: 'p' }, ...rest])[0]).toMatchObject({ parentAgentId: 'p' })
  })

  it('do not end a subagent that runs in the background', () => {
    const launched = [
      output('ok', 'Async agent launched successfully.\nagentId: 7'),
      output('ok', [{ type: 'text', text: 'Async agent launched successfully.' }]),
      output('ok', { status: 'async_launched', agentId: '7' }),
    ]
    for (const event of launched) expect(added([...call('Task', claude), event])).toHaveLength(1)
    const background = call('Task', { ...claude, run_in_background: true })
    expect(added([...background, output('ok', 'Started.')])).toHaveLength(1)
    expect(added([...background, output('error', 'No.')])[1]).toMatchObject({ status: 'failed' })
    expect(added([...call('Task', claude), output('ok', 'The rocket was launched.')])).toHaveLength(2)
  })

  it('add nothing for a subagent that the stream reported before', () => {
    const own = { type: 'subagent-start', agentId: 'g', name: 'own', callId: 'c' } as const
    const events = [own, ...call('Task', claude), output('ok', 'x')]
    expect(runPass(subagentTools, events)).toEqual(events)
    const [start, input] = call('Task', claude) as [StreamEvent, StreamEvent]
    const between = [start, own, input, output('ok', 'x')]
    expect(runPass(subagentTools, between)).toEqual(between)
  })

  it('keep one subagent if the stream reports it later under another id', () => {
    const inner = { type: 'subagent-start', agentId: 'h', name: 'inner', parentAgentId: 'g' } as const
    const events = runPass(subagentTools, [
      ...call('Task', claude),
      { type: 'subagent-start', agentId: 'g', name: 'own', callId: 'c' },
      { type: 'block-delta', blockId: 'b', text: 'hi', agentId: 'g' },
      inner,
      output('ok', 'x'),
      { type: 'subagent-end', agentId: 'g', status: 'done', summary: 'own' },
      { type: 'status', message: 'later', level: 'info', agentId: 'g' },
    ])
    expect(events.slice(3)).toEqual([
      { type: 'subagent-start', agentId: 'c', name: 'own', callId: 'c' },
      { type: 'block-delta', blockId: 'b', text: 'hi', agentId: 'c' },
      { ...inner, parentAgentId: 'c' },
      output('ok', 'x'),
      { type: 'subagent-end', agentId: 'c', status: 'done', summary: 'own' },
      { type: 'status', message: 'later', level: 'info', agentId: 'g' },
    ])
  })

  it('leave the end to the stream if it reported the subagent', () => {
    const own = { type: 'subagent-end', agentId: 'c', status: 'failed' } as const
    expect(added([...call('Task', claude), own, output('ok', 'x')]).slice(1)).toEqual([own])
  })

  it('forget a call with its output and a reported subagent with its end', () => {
    const again = [...call('Task', claude), output('ok', 'x')]
    expect(added([...again, output('ok', 'y')])).toHaveLength(2)
    const own: StreamEvent[] = [
      { type: 'subagent-start', agentId: 'g', name: 'own', callId: 'c' },
      { type: 'subagent-end', agentId: 'g', status: 'done' },
    ]
    expect(added([...own, ...again])).toHaveLength(4)
  })
})

function call(name: string, input: Json): StreamEvent[] {
  return [
    { type: 'tool-start', callId: 'c', name, runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input },
  ]
}

function output(status: EventOf<'tool-output'>['status'], value: Json): EventOf<'tool-output'> {
  return { type: 'tool-output', callId: 'c', status, output: value }
}

function added(events: readonly StreamEvent[]): StreamEvent[] {
  return runPass(subagentTools, events).filter(({ type }) => type.startsWith('subagent'))
}
