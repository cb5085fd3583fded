import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

const typesOf = (...events: readonly StreamEvent[]) =>
  chunksOfEach(events, 'mobox')
    .flat()
    .map(({ type, toolCallId, delta }) => [type, toolCallId ?? delta].filter((word) => word !== undefined).join(' '))

const start = (name: string, callId = 'c', runBy: 'agent' | 'client' = 'agent'): StreamEvent => ({
  type: 'tool-start',
  callId,
  name,
  runBy,
})
const delta: StreamEvent = { type: 'tool-input-delta', callId: 'c', text: '{}' }
const input = (callId = 'c'): StreamEvent => ({ type: 'tool-input', callId, input: {} })
const output = (status: EventOf<'tool-output'>['status'], callId = 'c'): StreamEvent => ({
  type: 'tool-output',
  callId,
  status,
  output: 'x',
})
const todos: StreamEvent = {
  type: 'todos',
  listId: 'l',
  op: 'set',
  items: [{ id: '1', content: 'One', status: 'pending' }],
  callId: 'c',
}
const subagent: StreamEvent = { type: 'subagent-start', agentId: 'a', name: 'scout', task: 'Look', callId: 'c' }

describe('calls that are lines', () => {
  it.each(['TodoWrite', 'write_todos'])('S0-60: a list that %s writes is a line and not a tool', (name) => {
    expect(typesOf(start(name), delta, input(), todos, output('ok'))).toEqual([
      'reasoning-start',
      'reasoning-delta Planning: 1 tasks\n',
    ])
  })

  it.each([
    ['Task', 'Spawned scout: Look\n', 'processing_1'],
    ['Agent', 'Spawned scout: Look\n', 'processing_1'],
    ['task', 'Started scout: Look\n', 'thinking_1'],
  ])('S0-57, S0-71: the subagent of %s is the line %j of %s and not a tool', (name, textBlock, id) => {
    const [opened, line, ...otherChunks] = chunksOfEach([start(name), input(), subagent, output('ok')], 'mobox').flat()
    expect([opened?.id, line?.delta, otherChunks]).toEqual([id, textBlock, []])
  })

  it('S0-57, S0-71: the event of the framework takes precedence over the name of the tool', () => {
    const begun = { ...subagent, meta: { millrace: { subagentOp: 'start' } } }
    expect(typesOf(start('Task'), input(), begun).at(-1)).toBe('reasoning-delta Started scout: Look\n')
  })

  it('a call whose line comes before it is a line, too', () => {
    expect(typesOf(subagent, start('Task'), input(), output('ok'))).toHaveLength(2)
  })

  it('a call that writes no list and starts no subagent is shown once its input is complete', () => {
    expect(typesOf(start('TodoWrite'), delta, input(), output('ok'))).toEqual([
      'tool-input-start c',
      'tool-input-delta c',
      'tool-input-available c',
      'tool-output-available c',
    ])
  })

  it('S0-54: other tools, and those of the client, are shown at once', () => {
    expect(typesOf(start('look'))).toEqual(['tool-input-start c'])
    expect(typesOf(start('Task', 'c', 'client'))).toEqual(['tool-input-start c'])
  })

  it('holds back each call separately', () => {
    const both = [start('TodoWrite'), start('look', 'd'), input('d'), input(), todos, output('ok', 'd'), output('ok')]
    expect(typesOf(...both).filter((type) => type.startsWith('tool'))).toEqual([
      'tool-input-start d',
      'tool-input-available d',
      'tool-output-available d',
    ])
  })

  it('a call that needs an approval is shown with the question', () => {
    const question: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
    const tools = typesOf(start('Task'), input(), subagent, question).filter((type) => type.startsWith('tool'))
    expect(tools).toEqual(['tool-input-start c', 'tool-input-available c', 'tool-approval-request c'])
  })

  it('a call that fails is shown with its failure, a cancelled one is not', () => {
    const shown = (status: 'error' | 'cancelled') =>
      typesOf(start('TodoWrite'), input(), todos, output(status)).filter((type) => type.startsWith('tool'))
    expect(shown('error')).toEqual(['tool-input-start c', 'tool-input-available c', 'tool-output-error c'])
    expect(shown('cancelled')).toEqual([])
  })
})

describe('what a subagent writes', () => {
  const textBlock = (fields: object): StreamEvent[] => [
    { type: 'block-start', blockId: 'b', kind: 'text', ...fields },
    { type: 'block-delta', blockId: 'b', text: 'Seen.', ...fields },
    { type: 'block-end', blockId: 'b', ...fields },
  ]

  it('S0-82: is thinking, because text is the answer', () => {
    expect(typesOf(...textBlock({ agentId: 'a' }))).toEqual(['reasoning-start', 'reasoning-delta Seen.'])
    expect(typesOf(...textBlock({}))).toEqual(['text-start', 'text-delta Seen.', 'text-end'])
  })

  it('S0-27, S0-89: texts have ids of their own kind, and sources refer to them by these', () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.org', blockId: 'b' }
    const chunks = chunksOfEach([...textBlock({}), source, ...textBlock({})], 'mobox').flat()
    expect(chunks.filter(({ type }) => type === 'text-start').map(({ id }) => id)).toEqual(['text_1', 'text_2'])
    expect(chunks.find(({ type }) => type === 'source-url')).toMatchObject({
      providerMetadata: { millrace: { blockId: 'text_1' } },
    })
  })
})
