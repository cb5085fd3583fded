import { describe, expect, it } from 'vitest'
import { recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { agentLines } from '../parse/agent-lines.ts'
import { getParser } from '../parse/index.ts'
import { createReader } from './read.ts'
import { createAttribution } from './synchronous-subagents.ts'

type Given = readonly [type: string, data?: object]

const recordsOfLines = (lines: readonly Given[]) => recordsOf(lines.map(([type, data = {}]) => ({ type, data })))
const read = (...lines: readonly Given[]) => through(createReader(agentLines), recordsOfLines(lines))

const agentOf = (events: readonly StreamEvent[], type: StreamEvent['type']) =>
  events.filter((event) => event.type === type).map(({ agentId }) => agentId)

describe('a subagent for which its agent waits', () => {
  it('has what is printed between its start and its end', () => {
    const events = read(
      ['text', { content: 'I ask.' }],
      ['subagent_start', { agent: 'scout', task: 'Look' }],
      ['search', { id: 's', query: 'lamps' }],
      ['search_result', { count: 0, results: [] }],
      ['think', { thought: 'LED, then.' }],
      ['status', { message: 'Done' }],
      ['subagent_complete', { agent: 'scout', summary: 'LED' }],
      ['text', { content: 'It is LED.' }],
      ['done', {}],
    )
    expect(agentOf(events, 'tool-start')).toEqual(['agent-1'])
    expect(agentOf(events, 'tool-output')).toEqual(['agent-1'])
    expect(agentOf(events, 'block-start')).toEqual([undefined, 'agent-1', undefined])
    expect(agentOf(events, 'status')).toEqual(['agent-1'])
  })

  it.each(['deepagents', 'langchain', 'claude'])(
    'has it also under the name %s, which several formats share',
    (name) => {
      const lines = [
        ['start', {}],
        ['subagent_start', { agent: 'scout', task: 'Look' }],
        ['search', { id: 's', query: 'lamps' }],
        ['subagent_complete', { agent: 'scout', summary: 'LED' }],
        ['done', {}],
      ] as const
      const events = through(createReader(getParser(name)), recordsOfLines(lines))
      expect(agentOf(events, 'tool-start')).toEqual(['agent-1'])
    },
  )

  it('has nothing while another one is open: it could be the work of either', () => {
    const events = read(
      ['subagent_start', { agent: 'scout', task: 'a' }],
      ['subagent_start', { agent: 'pilot', task: 'b' }],
      ['status', { message: 'One' }],
      ['subagent_complete', { agent: 'scout', summary: '' }],
      ['status', { message: 'Two' }],
      ['done', {}],
    )
    expect(agentOf(events, 'status')).toEqual([undefined, 'agent-2'])
  })

  it('is not one whose end is not printed', () => {
    const spawn = { subagent_id: 'x', subagent_type: 'scout', description: 'Look' }
    const events = read(['subagent_spawn', spawn], ['text', { content: 'I go on.' }], ['done', {}])
    expect(agentOf(events, 'block-start')).toEqual([undefined])
  })

  it('does not have the result of a call, or the end of a text, that began before it', () => {
    const attribute = createAttribution()
    const events: readonly StreamEvent[] = [
      { type: 'tool-start', callId: 'c', name: 'ask', runBy: 'agent' },
      { type: 'block-delta', blockId: 'b', text: 'I ask.' },
      { type: 'subagent-start', agentId: 'a', name: 'scout' },
      { type: 'tool-output', callId: 'c', status: 'ok', output: '' },
      { type: 'block-end', blockId: 'b' },
      { type: 'tool-start', callId: 'd', name: 'look', runBy: 'agent' },
      { type: 'subagent-end', agentId: 'a', status: 'done' },
      { type: 'tool-output', callId: 'd', status: 'ok', output: '' },
    ]
    expect(events.map(attribute).map(({ agentId }) => agentId)).toEqual([
      ...[undefined, undefined, 'a', undefined, undefined, 'a', 'a', 'a'],
    ])
  })

  it('does not have the list of todos, the usage or the end of the run', () => {
    const attribute = createAttribution()
    attribute({ type: 'subagent-start', agentId: 'a', name: 'scout' })
    const others: readonly StreamEvent[] = [
      { type: 'todos', listId: 't', op: 'set', items: [] },
      { type: 'usage', scope: 'step', mode: 'add', inputTokens: 1 },
      { type: 'metadata', metadata: {} },
      { type: 'error', message: 'x' },
      { type: 'run-end', outcome: 'success' },
    ]
    for (const event of others) expect(attribute(event)).toBe(event)
  })
})
