import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { recordOf } from '../source/source.ts'
import { agentLines } from './agent-lines.ts'

const line = (type: string, data: object = {}) => ({ type, data })
const text = line('text', { content: 'a' })
const done = line('done')
const error = line('error', { message: 'No scale' })
const failed: StreamEvent = { type: 'run-end', outcome: 'error', error: { message: 'No scale' } }
const succeeded: StreamEvent = { type: 'run-end', outcome: 'success' }

/** How a stream of these values ends: the last `run-end`, as `balance` sees it. */
function ending(...values: readonly object[]): StreamEvent | undefined {
  const events = through(parserOf(agentLines), recordsOf(values))
  return events.filter(({ type }) => type === 'run-end').at(-1)
}

describe('how a run ends', () => {
  it('is an error if no content follows the error, with done or without', () => {
    expect(ending(text, error, done)).toEqual(failed)
    expect(ending(text, error)).toEqual(failed)
    expect(ending(error, line('usage', { input_tokens: 1 }), line('result', { duration_ms: 5 }), done)).toEqual(failed)
  })

  it('is a success if the agent continued after an error', () => {
    expect(ending(error, text, done)).toEqual(succeeded)
  })

  it('is left open if the stream stops before done', () => {
    expect(ending(text)).toBeUndefined()
    expect(ending(error, text)).toBeUndefined()
    expect(ending(line('result', { duration_ms: 5 }))).toBeUndefined()
  })

  it('is an error if the result is one, with the first available message', () => {
    const result = (data: object) => line('result', { is_error: true, ...data })
    expect(ending(text, result({ result: 'No scale' }), done)).toEqual(failed)
    expect(ending(text, result({ result: 'No scale' }))).toEqual(failed)
    expect(ending(error, result({}), done)).toEqual(failed)
    expect(ending(text, result({}), done)).toMatchObject({ outcome: 'error', error: { message: 'An error occurred' } })
  })

  it('reads the usage of done before the end', () => {
    const { push } = agentLines.create()
    const value = line('done', { usage: { prompt_tokens: 3 } })
    expect(push(value, recordOf(JSON.stringify(value)))).toEqual([
      { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 3 },
      succeeded,
    ])
  })
})

describe('events of the Claude API among the lines', () => {
  const start = (id: string) => ({ type: 'message_start', message: { id, role: 'assistant', content: [], model: 'm' } })
  const stop = (reason: string) => [{ type: 'message_delta', delta: { stop_reason: reason } }, { type: 'message_stop' }]
  const turn = (id: string) => [start(id), ...stop('end_turn')]

  it('end a run that consists of them alone', () => {
    expect(ending(...turn('m1'))).toMatchObject({ outcome: 'success', reason: 'end_turn' })
  })

  it('X11: do not end a run that has lines too', () => {
    expect(ending(line('start'), ...turn('m1'))).toBeUndefined()
    expect(ending(line('start'), ...turn('m1'), ...turn('m2'), done)).toEqual(succeeded)
  })

  it('S0-47: carry their errors to the run’s end, which a later done does not hide', () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'No scale' } }
    expect(ending(line('start'), start('m1'), overloaded, done)).toMatchObject({
      outcome: 'error',
      error: { message: 'No scale', code: 'overloaded_error' },
    })
    expect(ending(start('m1'), overloaded)).toMatchObject({ outcome: 'error', error: { message: 'No scale' } })
  })

  it('close a block that lines have opened, and results without ids find their calls', () => {
    const { push } = agentLines.create()
    const call = { type: 'tool_use', id: 'toolu_1', name: 'weigh', input: {} }
    const values = [
      text,
      start('m1'),
      { type: 'content_block_start', index: 0, content_block: call },
      { type: 'content_block_stop', index: 0 },
      line('tool_result', { name: 'weigh', success: true, output_preview: 'five' }),
    ]
    const events = values.flatMap((value) => push(value, recordOf(JSON.stringify(value))))
    const types = events.map(({ type }) => type)
    expect(types.indexOf('block-end')).toBeLessThan(types.indexOf('message-start'))
    expect(types).toContain('block-end')
    expect(events.at(-1)).toEqual({ type: 'tool-output', callId: 'toolu_1', status: 'ok', output: 'five' })
  })
})

describe('a line that is not understood', () => {
  it.each([
    line('text', { content: 17 }),
    line('text'),
    line('think', { thought: null }),
    line('tool_use', { id: 'a', name: 5, input: {} }),
    line('tool_result', { tool_use_id: 9 }),
    line('todos', { items: [null] }),
    line('todo_done', { item: 'Dig' }),
    line('subagent_start', { task: 'Look' }),
    line('search_result', { results: 'none' }),
    line('start', { model: ['a'] }),
  ])('does not change the events that follow: %j', (odd) => {
    const after = [
      text,
      line('tool_use', { name: 'look', input: {} }),
      line('subagent_start', { agent: 'scout' }),
      done,
    ]
    const read = (...values: readonly object[]) => {
      const { push } = agentLines.create()
      return values.flatMap((value) => {
        try {
          return push(value, recordOf(JSON.stringify(value))).filter(({ type }) => type !== 'raw')
        } catch {
          return []
        }
      })
    }
    expect(read(text, odd, ...after)).toEqual(read(text, ...after))
  })
})

it('forgets the oldest of more than a thousand calls without a result', () => {
  const { push } = agentLines.create()
  const pushRecord = (value: object) => push(value, recordOf(JSON.stringify(value)))
  for (let count = 0; count <= 1000; count++) pushRecord(line('tool_use', { id: `a${count}`, name: 'look', input: {} }))
  expect(pushRecord(line('tool_result', { content: 'blue' }))).toMatchObject([{ type: 'tool-output', callId: 'a1' }])
})
