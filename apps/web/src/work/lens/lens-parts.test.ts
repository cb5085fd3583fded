import type { Entry } from '@millrace/core/events'
import { expect, it } from 'vitest'
import { hopsOf } from './hops.ts'
import { joinedMarks, jsonParts } from './json-parts.ts'
import { jsonRows } from './json-rows.ts'
import { createRecordPages } from './record-pages.ts'

it('JSON has its colours, divided where marks begin and end', () => {
  const text = '{"a":"one \\" two","b":-1.5}'
  const parts = jsonParts(text, [[6, 9]])
  expect(jsonParts(text, [[5, 16]]).filter((part) => part.text === '')).toEqual([])
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.filter(({ isMarked }) => isMarked).map((part) => part.text)).toEqual(['one'])
  expect(parts.filter(({ kind }) => kind === 'key').map((part) => part.text)).toEqual(['"a"', '"b"'])
  expect(parts.filter(({ kind }) => kind === 'number').map((part) => part.text)).toEqual(['-1.5'])
  expect(
    joinedMarks([
      [5, 9],
      [0, 3],
      [2, 4],
      [4, 5],
    ]),
  ).toEqual([[0, 9]])
})

it('a value is laid out over lines, deep containers closed until they are toggled', () => {
  const value = { a: [1, { b: { c: null } }], empty: [] }
  const shown = (toggled: readonly string[]) =>
    jsonRows(value, new Set(toggled)).map(
      ({ depth, name, text, fold }) => `${depth} ${name ?? ''} ${text} ${fold ?? ''}`,
    )
  expect(shown([])).toEqual([
    '0  { open',
    '1 a [ open',
    '2 0 1 ',
    '2 1 { 1 field } closed',
    '1  ] ',
    '1 empty [] ',
    '0  } ',
  ])
  expect(shown(['/a'])[1]).toBe('1 a [ 2 items ] closed')
  expect(shown(['/a/1'])).toContain('3 b { 1 field } closed')
  expect(jsonRows('x'.repeat(3_000), new Set())[0]?.text).toMatch(/x" … 1,000 characters more$/)
})

it('the way of an entry has only the moments that were measured', () => {
  const entry: Entry = { seq: 1, at: 1_000_003, event: { type: 'run-start', sentAt: 1_000_000 }, rawThrough: 1 }
  const texts = (...parts: Parameters<typeof hopsOf>) => hopsOf(...parts).map(({ name, text }) => `${name} ${text}`)
  expect(texts(entry, { receivedAt: 1_000_004, paintedAt: 1_001_814 })).toEqual([
    'agent wrote 00:16:40.000',
    'durable +3 ms',
    'received +4 ms',
    'painted +1.81 s',
  ])
  const { sentAt: _, ...event } = entry.event
  expect(texts({ ...entry, event } as Entry, undefined)).toEqual(['durable 00:16:40.003'])
  expect(texts(entry, { receivedAt: 999_990 })[2]).toBe('received −10 ms')
})

it('records are read by pages, once, and again if they have failed or were not there yet', async () => {
  const asked: string[] = []
  let there = 300
  let fails = false
  const raw = async (_runId: string, { from = 0, to = 0 } = {}) => {
    asked.push(`${from}-${to}`)
    if (fails) throw new Error('gone')
    const numbers = Array.from({ length: Math.max(0, Math.min(to, there) - from) }, (_, index) => from + index)
    return numbers.map((number) => `${JSON.stringify({ number, text: `r${number}` })}\n`).join('')
  }
  const pages = createRecordPages({ raw }, 'run')
  expect((await pages.all([1, 249, 250])).map(({ text }) => text)).toEqual(['r1', 'r249', 'r250'])
  pages.want([2, 251])
  expect(asked).toEqual(['0-250', '250-500'])
  expect(await pages.all([310])).toEqual([])
  there = 400
  expect(await pages.all([310])).toEqual([{ text: 'r310' }])
  fails = true
  await expect(pages.all([600])).rejects.toThrow()
  expect(pages.failure()).toBeDefined()
  fails = false
  await pages.all([600])
  expect([pages.failure(), asked.at(-1)]).toEqual([undefined, '500-750'])
})
