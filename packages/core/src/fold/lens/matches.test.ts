import { expect, it } from 'vitest'
import { matchesOf } from './matches.ts'

/** What is marked of both texts. */
const marked = (record: object | string, event: object) => {
  const [recordText, eventText] = [typeof record === 'string' ? record : JSON.stringify(record), JSON.stringify(event)]
  return matchesOf(recordText, eventText).map(({ record, event }) => [
    recordText.slice(...record),
    eventText.slice(...event),
  ])
}

it('marks a value that both have, whatever fields hold it', () => {
  const record = { type: 'user', content: [{ type: 'tool_result', content: 'The gate is open.' }], tokens: 512 }
  expect(marked(record, { type: 'tool-output', callId: 'c', output: 'The gate is open.' })).toEqual([
    ['The gate is open.', 'The gate is open.'],
  ])
  expect(marked(record, { type: 'usage', outputTokens: 512, inputTokens: 12 })).toEqual([['512', '512']])
})

it('marks a part of a longer string, also one that is written with escapes', () => {
  const record = String.raw`{"delta":"{\"path\":\"a.ts\",\"text\":\"on\u0065 line\"}"}`
  expect(marked(record, { type: 'tool-input', input: { path: 'a.ts' } })).toEqual([['a.ts', 'a.ts']])
  expect(marked(record, { type: 'x', text: 'one line' })).toEqual([[String.raw`on\u0065 line`, 'one line']])
})

it('marks what the event has joined with other parts', () => {
  expect(marked({ delta: ' the gate"' }, { type: 'x', text: 'opens the gate" now' })).toEqual([
    [String.raw` the gate\"`, String.raw` the gate\"`],
  ])
})

it('marks short strings only as a whole, and names of things only if nothing else is the same', () => {
  expect(marked({ delta: 'a lot' }, { type: 'x', text: 'lot' })).toEqual([])
  expect(marked({ delta: 'lot' }, { type: 'x', text: 'lot' })).toEqual([['lot', 'lot']])
  const start = { type: 'tool-start', callId: 'toolu_1', name: 'Edit' }
  expect(marked({ id: 'toolu_1', name: 'Edit' }, start)).toEqual([['Edit', 'Edit']])
  expect(marked({ id: 'toolu_1' }, start)).toEqual([['toolu_1', 'toolu_1']])
})

it('marks nothing of names of fields, of empty strings, and of what is no JSON', () => {
  expect(marked({ output: '', other: 'x' }, { type: 'x', output: '' })).toEqual([])
  expect(marked({ answer: 'long enough' }, { type: 'x', text: 'answer' })).toEqual([])
  expect(marked('Traceback (most recent call last)', { type: 'raw', value: 'Traceback' })).toEqual([])
})
