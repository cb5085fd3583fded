import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { acp } from './acp.ts'

const rpc = (fields: object) => ({ jsonrpc: '2.0', ...fields })
const update = (sessionUpdate: string, fields: object, sessionId = 's') =>
  rpc({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...fields } } })
const text = (words: string) => ({ type: 'text', text: words })
const say = (words: string, more: object = {}) => update('agent_message_chunk', { content: text(words), ...more })
const call = (fields: object) => update('tool_call', { toolCallId: 'c', title: 'ls', ...fields })
const change = (fields: object) => update('tool_call_update', { toolCallId: 'c', ...fields })
const shown = (words: string) => ({ content: [{ type: 'content', content: text(words) }] })
const prompt = rpc({ id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [text('Go')] } })
const stop = (stopReason: string) => rpc({ id: 1, result: { stopReason } })
const permissionOf = (more: object) =>
  rpc({
    id: 1,
    method: 'session/request_permission',
    params: {
      sessionId: 's',
      toolCall: { toolCallId: 'c', title: 'ls', kind: 'execute', rawInput: { a: 1 }, ...more },
      options: [
        { optionId: 'y', kind: 'allow_once' },
        { optionId: 'n', kind: 'reject_once' },
      ],
    },
  })
const permission = permissionOf({})
const choose = (optionId: string) => rpc({ id: 1, result: { outcome: { outcome: 'selected', optionId } } })

const read = (...values: readonly unknown[]) => through(createReader(acp), recordsOf(values))

describe('chunks', () => {
  it('of one kind are one block, which ends when a call begins', () => {
    const events = read(say('a'), say('b'), change({ status: 'pending' }), say('c'))
    expect(ofType(events, 'block-delta').map(({ blockId }) => blockId)).toEqual(['block-1', 'block-1', 'block-2'])
  })

  it('are not interrupted by updates of a running call', () => {
    const events = read(call({}), say('a'), change({ status: 'completed' }), say('b'))
    expect(ofType(events, 'block-start')).toHaveLength(1)
  })

  it('of a message are replaced by the whole message, except its text before a call', () => {
    const events = read(
      say('One. ', { messageId: 'm' }),
      call({}),
      say('Tw', { messageId: 'm' }),
      update('agent_message', { messageId: 'm', content: [text('One. Two.')] }),
    )
    expect(ofType(events, 'block-delta').map((delta) => delta.text)).toEqual(['One. ', 'Tw', 'o.'])
  })

  it('of the user begin a new turn', () => {
    const user = (words: string) => update('user_message_chunk', { content: text(words) })
    const events = read(user('a'), user('b'), say('c'), user('d'), say('e'))
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual([
      'prompt-1',
      'turn-1',
      'prompt-2',
      'turn-2',
    ])
  })

  it('that repeat the prompt are not emitted twice', () => {
    const events = read(prompt, update('user_message_chunk', { content: text('Go') }), say('Gone'))
    expect(ofType(events, 'block-delta').map((delta) => delta.text)).toEqual(['Go', 'Gone'])
  })
})

describe('calls', () => {
  it('have the last input before they run', () => {
    const events = read(
      call({ status: 'pending', rawInput: {} }),
      change({ rawInput: { a: 1 } }),
      change({ rawInput: { a: 2 } }),
      change({ status: 'in_progress' }),
      change({ status: 'completed', ...shown('done') }),
    )
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { a: 2 } }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: 'done' }])
  })

  it('emit only the part by which their content grows', () => {
    const events = read(call({ status: 'in_progress', ...shown('a') }), change(shown('ab')), change({ title: 'x' }))
    expect(ofType(events, 'tool-progress').map((event) => event.text)).toEqual(['a', 'b'])
  })

  it.each([
    [{ name: 'look', kind: 'read', title: 'Look' }, 'look'],
    [{ kind: 'read', title: 'Look', _meta: { claudeCode: { toolName: 'Read' } } }, 'Read'],
    [{ kind: 'read', title: 'Look' }, 'read'],
    [{ kind: 'other', title: 'Look' }, 'Look'],
  ])('described by %j are called %s', (fields, name) => {
    expect(ofType(read(call(fields)), 'tool-start')).toMatchObject([{ name }])
  })

  it('that have ended are not started again', () => {
    const events = read(call({ status: 'completed' }), change(shown('late')))
    expect(ofType(events, 'tool-start')).toHaveLength(1)
    expect(ofType(events, 'raw')).toHaveLength(1)
  })

  it("of Claude's subagents belong to the subagent", () => {
    const events = read(call({ _meta: { claudeCode: { parentToolUseId: 'p' } } }))
    expect(ofType(events, 'tool-start')).toMatchObject([{ agentId: 'p' }])
  })
})

describe('permissions', () => {
  it.each([
    ['y', 'approved', 'error'],
    ['n', 'denied', 'denied'],
  ])('chosen as %s are %s, and a call that fails then is %s', (option, state, status) => {
    const events = read(prompt, permission, choose(option), change({ status: 'failed' }))
    expect(ofType(events, 'approval').map((approval) => approval.state)).toEqual(['requested', state])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status }])
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { a: 1 } }])
  })

  it('count as granted if the call continues', () => {
    const events = read(permission, change({ status: 'in_progress' }))
    expect(ofType(events, 'approval').map((approval) => approval.state)).toEqual(['requested', 'approved'])
  })

  it('that the host granted are granted once, although the next update implies it', () => {
    const reader = createReader(acp)
    const [asked, continued] = recordsOf([permission, change({ status: 'in_progress' })])
    if (asked === undefined || continued === undefined) throw new Error('no records')
    const requested = ofType(reader.push(asked), 'approval')
    const { approvalId = '' } = requested[0] ?? {}
    const events = [
      ...requested,
      ...reader.add({ type: 'approval', approvalId, callId: 'c', state: 'approved' }),
      ...reader.push(continued),
      ...reader.end(),
    ]
    expect(ofType(events, 'approval').map((approval) => approval.state)).toEqual(['requested', 'approved'])
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('expire if the call ends without an answer', () => {
    const events = read(prompt, permission, change({ status: 'failed' }))
    expect(ofType(events, 'approval').slice(1)).toMatchObject([{ state: 'expired', reason: 'went-on' }])
  })

  it('with the same id as the prompt are distinguished from it', () => {
    expect(read(prompt, permission, choose('y'), stop('end_turn')).at(-1)).toMatchObject({ outcome: 'success' })
  })
})

describe('the end', () => {
  it.each([
    ['success', [prompt, stop('end_turn')]],
    ['success', [stop('refusal')]],
    ['cancelled', [prompt, stop('cancelled')]],
    ['error', [prompt, rpc({ id: 1, error: { code: -32603, message: 'Broken' } })]],
    ['interrupted', [prompt, say('half')]],
    ['awaiting-input', [prompt, permission]],
    ['success', [say('all')]],
    ['interrupted', [call({ status: 'in_progress' })]],
    ['success', [say('a'), update('state_update', { state: 'idle', stopReason: 'end_turn' })]],
  ])('is %s', (outcome, values) => {
    expect(read(...values).at(-1)).toMatchObject({ type: 'run-end', outcome })
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(acp, value)

  it('is certain of updates, and less certain of other JSON-RPC', () => {
    expect(certainty(say('a'))).toBe(1)
    expect(certainty({ direction: 'in', message: say('a') })).toBe(1)
    expect(certainty({ sessionId: 's', update: { sessionUpdate: 'plan', entries: [] } })).toBe(1)
    expect(certainty(rpc({ id: 1, method: 'tools/call', params: {} }))).toBe(0.3)
    expect(certainty({ id: 1, result: { stopReason: 'end_turn' } })).toBe(0)
    expect(certainty({ type: 'message', message: { id: 'x' } })).toBe(0)
  })
})

describe('a call that is asked about', () => {
  const prepared = update('tool_call', {
    toolCallId: 'c',
    title: 'Shell',
    kind: 'execute',
    status: 'pending',
    rawInput: {},
    _meta: { phase: 'preparing' },
  })
  const asked = permissionOf(shown('It writes.'))

  it('has the input of the question, also if the question shows more', () => {
    const events = read(call({ status: 'pending', rawInput: {} }), asked)
    const types = events.map(({ type }) => type)
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { a: 1 } }])
    expect(types.indexOf('tool-input')).toBeLessThan(types.indexOf('tool-progress'))
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('starts with its question if it was only being prepared', () => {
    const reader = createReader(acp)
    const [first, second] = recordsOf([prepared, asked])
    const before = first === undefined ? [] : reader.push(first)
    expect(before.map(({ type }) => type)).not.toContain('tool-start')
    const events = second === undefined ? [] : reader.push(second)
    expect(ofType(events, 'tool-start')).toMatchObject([{ callId: 'c', name: 'execute', title: 'ls' }])
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { a: 1 } }])
  })

  it('is shown, and cancelled, if nothing follows its preparation', () => {
    const events = read(prompt, prepared, stop('cancelled'))
    expect(ofType(events, 'tool-start')).toMatchObject([{ callId: 'c', title: 'Shell' }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'cancelled' }])
    expect(ofType(events, 'raw')).toEqual([])
  })
})

it('an answer that opens a session is understood without its request', () => {
  const configOptions = [{ id: 'model' }]
  expect(ofType(read(rpc({ id: 1, result: { configOptions } })), 'metadata')).toMatchObject([
    { metadata: { configOptions } },
  ])
})
