import { describe, expect, it } from 'vitest'
import { aiSdk } from '../ai-sdk.ts'

type Raw = { readonly type: string; readonly [field: string]: unknown }

function pushing() {
  const parser = aiSdk.create()
  return (value: Raw) => parser.push(value, { text: '', value, name: undefined, problem: undefined })
}

describe('the limits of the AI SDK', () => {
  it('of endlessly many texts that never end, the oldest is forgotten', () => {
    const push = pushing()
    for (let at = 0; at <= 8192; at++) push({ type: 'text-start', id: `t${at}` })
    expect(push({ type: 'text-end', id: 't0' })).toEqual([])
    expect(push({ type: 'text-end', id: 't1' })).toEqual([{ type: 'block-end', blockId: 't1' }])
  })
})
