import { createApi } from '@millrace/core/client'
import { expect, it } from 'vitest'
import { rangesOf, readRecords } from './read-records.ts'

it('requests adjacent records together', () => {
  expect(rangesOf([0, 1, 2, 7, 9, 10])).toEqual([
    { from: 0, to: 3 },
    { from: 7, to: 8 },
    { from: 9, to: 11 },
  ])
})

it('returns for each entry the record that it was made from, as it was sent', async () => {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    const query = new URL(url, 'http://127.0.0.1').searchParams
    const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
    const numbers = Array.from({ length: to - from }, (_, index) => from + index)
    return new Response(numbers.map((number) => `${JSON.stringify({ number, text: `<b>${number}` })}\n`).join(''))
  }
  const api = createApi({ baseUrl: '', fetch })
  const raw = { count: 9, seqs: [3, 4, 12], records: [5, 6, 20] }
  expect(await readRecords(api, 'r', raw)).toEqual([
    { seq: 3, text: '<b>5' },
    { seq: 4, text: '<b>6' },
    { seq: 12, text: '<b>20' },
  ])
  expect(asked).toHaveLength(2)
})
