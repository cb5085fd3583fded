import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { opencode } from './opencode.ts'

const ref = { sessionID: 's', messageID: 'm' }
const line = (type: string, part: object) => ({ type, timestamp: 1000, sessionID: 's', part: { ...ref, ...part } })
const bus = (type: string, properties: object) => ({ type, properties })
const part = (fields: object) => bus('message.part.updated', { part: { ...ref, ...fields } })
const delta = (partID: string, text: string) =>
  bus('message.part.delta', { ...ref, partID, field: 'text', delta: text })
const tool = (status: string, state: object) =>
  part({ id: 'p', type: 'tool', callID: 'c', tool: 'bash', state: { status, input: { command: 'ls' }, ...state } })
const finish = (reason: string) => line('step_finish', { id: 'f', type: 'step-finish', reason })

const read = (...values: readonly unknown[]) => through(createReader(opencode), recordsOf(values))

describe('parts', () => {
  it('of the command are whole, and carry their own times', () => {
    const events = read(line('text', { id: 't', type: 'text', text: 'Hello', time: { start: 400, end: 900 } }))
    expect(ofType(events, 'block-start')).toMatchObject([{ blockId: 't', sentAt: 400 }])
    expect(ofType(events, 'block-end')).toMatchObject([{ blockId: 't', sentAt: 900 }])
  })

  it('are emitted by what they grow by, as deltas and as snapshots', () => {
    const text = (content: string) => part({ id: 't', type: 'text', text: content })
    const events = read(text(''), delta('t', 'One '), delta('t', 'two'), text('One two'), text('One two three'))
    expect(ofType(events, 'block-delta').map(({ text: content }) => content)).toEqual(['One ', 'two', ' three'])
    expect(ofType(events, 'block-patch')).toEqual([])
  })

  it('that are rewritten replace their text', () => {
    const text = (content: string) => part({ id: 't', type: 'text', text: content })
    expect(ofType(read(text('One'), text('Another')), 'block-patch')).toMatchObject([{ text: 'Another' }])
  })

  it('of a call give one input, its growing output and one result', () => {
    const events = read(
      tool('pending', { raw: '{"com' }),
      tool('running', {}),
      tool('running', { metadata: { output: 'a' } }),
      tool('running', { metadata: { output: 'ab' } }),
      tool('completed', { output: 'ab', metadata: { output: 'ab', exit: 0 } }),
    )
    expect(ofType(events, 'tool-input')).toHaveLength(1)
    expect(ofType(events, 'tool-progress').map(({ text }) => text)).toEqual(['a', 'b'])
    expect(ofType(events, 'tool-output')).toMatchObject([
      { status: 'ok', output: 'ab', meta: { opencode: { metadata: { exit: 0 } } } },
    ])
  })

  it.each([
    ['No such file', 'error'],
    ['The user rejected permission to use this specific tool call.', 'denied'],
    ['Tool execution aborted', 'cancelled'],
  ])('of a call that failed with "%s" are %s', (error, status) => {
    expect(ofType(read(tool('error', { error })), 'tool-output')).toMatchObject([{ status, error }])
  })

  it('of an unknown type open no message', () => {
    const events = read(part({ id: 'h', type: 'hologram' }))
    expect(ofType(events, 'raw')).toHaveLength(1)
    expect(ofType(events, 'message-start')).toEqual([])
  })
})

describe('usage', () => {
  it('counts cached tokens as input and reasoning as output', () => {
    const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 10, write: 20 } }
    const events = read(line('step_finish', { id: 'f', type: 'step-finish', reason: 'stop', cost: 0.5, tokens }))
    expect(ofType(events, 'usage')).toMatchObject([
      { inputTokens: 31, outputTokens: 5, reasoningTokens: 3, costUsd: 0.5 },
    ])
  })
})

describe('the end', () => {
  const failed = (name: string) => ({ type: 'error', sessionID: 's', error: { name, data: { message: 'Gone' } } })

  const asked = (id: string) => bus('permission.asked', { id, sessionID: 's', permission: 'bash' })
  const replied = (requestID: string) => bus('permission.replied', { requestID, sessionID: 's', reply: 'once' })

  it.each([
    ['success', [finish('stop')]],
    ['interrupted', [finish('tool-calls')]],
    ['error', [finish('stop'), failed('APIError')]],
    ['cancelled', [failed('MessageAbortedError')]],
    ['success', [bus('session.idle', { sessionID: 's' })]],
    ['error', [bus('session.error', { error: { name: 'X' } }), bus('session.idle', { sessionID: 's' })]],
    ['awaiting-input', [asked('p')]],
    ['awaiting-input', [asked('p'), asked('q'), replied('p')]],
    ['interrupted', [asked('p'), asked('p'), replied('p')]],
  ])('is %s', (outcome, values) => {
    expect(read(...values).at(-1)).toMatchObject({ type: 'run-end', outcome })
  })

  it("of a subagent's session is not the run's", () => {
    const child = { sessionID: 'k', messageID: 'n' }
    const events = read(
      part({ id: 't', type: 'text', text: 'Main' }),
      bus('message.part.updated', { part: { ...child, id: 'u', type: 'text', text: 'Child' } }),
      bus('session.idle', { sessionID: 'k' }),
    )
    expect(ofType(events, 'subagent-start')).toMatchObject([{ agentId: 'k' }])
    expect(events.at(-1)).toMatchObject({ outcome: 'interrupted' })
  })
})

describe('two dialects', () => {
  it('of one stream are read once', () => {
    const next = (name: string, fields: object) =>
      bus(`session.next.${name}`, { sessionID: 's', assistantMessageID: 'm', ...fields })
    const events = read(
      next('text.started', { textID: 't' }),
      part({ id: 'p', type: 'text', text: 'Once' }),
      next('text.delta', { textID: 't', delta: 'Once' }),
    )
    expect(ofType(events, 'block-delta')).toHaveLength(1)
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(opencode, value)

  it("recognises the command's lines and the bus, and claims no other records", () => {
    expect(certainty(line('text', { type: 'text' }))).toBe(1)
    expect(certainty(bus('session.idle', { sessionID: 's' }))).toBe(0.95)
    expect(certainty({ payload: bus('session.idle', {}) })).toBe(0.95)
    expect(certainty({ type: 'text', text: 'a' })).toBe(0)
    expect(certainty({ type: 'tool_use', tool_name: 'a', tool_id: 'b' })).toBe(0)
    expect(certainty({ type: 'error', error: { message: 'a' } })).toBe(0)
  })
})
