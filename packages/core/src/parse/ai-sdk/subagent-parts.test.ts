import { describe, expect, it } from 'vitest'
import { recordOf } from '../../source/source.ts'
import { aiSdk } from '../ai-sdk.ts'
import { SILENT } from '../parser.ts'

const part = (data: object, id = 'b') => ({
  type: 'data-subagent-part',
  id,
  data: { agentId: 'a', type: 'text', text: '', state: 'streaming', ...data },
})
const delta = (text: string) => ({ type: 'data-subagent-delta', data: { id: 'b', agentId: 'a', delta: text } })

/** The events of each value. */
function eventsOfEach(...values: readonly object[]) {
  const parser = aiSdk.create()
  return values.map((value) => parser.push(value, recordOf(JSON.stringify(value))))
}

const eventsOf = (...values: readonly object[]) => eventsOfEach(...values).flat()

describe('a part of a subagent', () => {
  it('is its block: what each part has more than before, and its end', () => {
    expect(
      eventsOf(part({}), part({ text: 'At six' }), delta(' forty'), part({ text: 'At six forty.', state: 'done' })),
    ).toEqual([
      { type: 'block-start', blockId: 'b', kind: 'text', agentId: 'a' },
      { type: 'block-delta', blockId: 'b', text: 'At six' },
      { type: 'block-delta', blockId: 'b', text: ' forty' },
      { type: 'block-delta', blockId: 'b', text: '.' },
      { type: 'block-end', blockId: 'b' },
    ])
  })

  it('says nothing if it is repeated', () => {
    expect(eventsOfEach(part({ text: 'Six' }), part({ text: 'Six' })).at(-1)).toBe(SILENT)
  })

  it('is an application’s own if it takes back what was said', () => {
    expect(eventsOf(part({ text: 'At six' }), part({ text: 'At seven' })).at(-1)).toMatchObject({
      type: 'data',
      name: 'subagent-part',
      data: { text: 'At seven' },
    })
  })

  it('is an application’s own as a delta of something other than text', () => {
    expect(
      eventsOf(part({ text: 'Six' }), { type: 'data-subagent-delta', data: { id: 'b', delta: 4 } }).at(-1),
    ).toEqual({
      type: 'data',
      name: 'subagent-delta',
      data: { id: 'b', delta: 4 },
    })
  })

  it.each([
    ['without an agent', part({ agentId: 7 })],
    ['of another type', part({ type: 'image' })],
    ['in another state', part({ state: 'paused' })],
    ['without text', part({ text: 3 })],
    ['with citations that are no list', part({ citations: 1 })],
    ['with metadata that is no object', part({ providerMetadata: 1 })],
    ['as a delta of nothing', delta('x')],
  ])('is an application’s own %s', (_case, value) => {
    expect(eventsOf(value)).toMatchObject([{ type: 'data', data: value.data }])
  })
})
