import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../../test/parse.ts'
import { createReader } from '../../read/read.ts'
import { aiSdk } from '../ai-sdk.ts'

type Raw = { readonly type: string; readonly [field: string]: unknown }

function pushing() {
  const parser = aiSdk.create()
  return (value: Raw) => parser.push(value, { text: '', value, name: undefined, problem: undefined })
}

describe('the limits of the AI SDK', () => {
  it.each([
    [64 * 1024, 'bytes'],
    [64 * 1024 + 4, 'url'],
  ] as const)('a file of %i characters is kept as %s', (length, field) => {
    const data = 'A'.repeat(length)
    const part = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${data}` }
    const [file] = ofType(through(createReader(aiSdk), recordsOf([part])), 'file')
    expect(file?.[field]).toBe(field === 'bytes' ? data : part.url)
    expect(Object.keys(file ?? {})).not.toContain(field === 'bytes' ? 'url' : 'bytes')
  })

  it('of endlessly many approvals, the oldest is forgotten', () => {
    const push = pushing()
    for (let at = 0; at <= 8192; at++)
      push({ type: 'tool-approval-request', approvalId: `q${at}`, toolCallId: `c${at}` })
    const [oldest] = push({ type: 'tool-approval-response', approvalId: 'q0', approved: true })
    const [next] = push({ type: 'tool-approval-response', approvalId: 'q1', approved: true })
    expect(oldest).not.toHaveProperty('callId')
    expect(next).toHaveProperty('callId', 'c1')
  })

  it('of endlessly many texts that never end, the oldest is forgotten', () => {
    const push = pushing()
    for (let at = 0; at <= 8192; at++) push({ type: 'text-start', id: `t${at}` })
    expect(push({ type: 'text-end', id: 't0' })).toEqual([])
    expect(push({ type: 'text-end', id: 't1' })).toEqual([{ type: 'block-end', blockId: 't1' }])
  })
})
