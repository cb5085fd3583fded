import { expect, it } from 'vitest'
import { sseFrame, sseTerminator } from './sse-frames.ts'

it('S0-35: every frame is one data line of JSON and a blank line', () => {
  const chunks = [{ type: 'text-delta', id: 't', delta: 'one\ntwo\r\n\u2028 ü 😀' }, { type: 'finish' }]
  const frames = chunks
    .map((chunk) => sseFrame(chunk))
    .join('')
    .split('\n\n')
  expect(frames.pop()).toBe('')
  expect(frames.map((frame) => frame.startsWith('data: ') && !frame.includes('\n'))).toEqual([true, true])
  expect(frames.map((frame) => JSON.parse(frame.slice(6)))).toEqual(chunks)
})

it('writes the cursor into the frame of its data, after the data', () => {
  expect(sseFrame({ type: 'finish' }, '7.0')).toBe('data: {"type":"finish"}\nid: 7.0\n\n')
})

it('ends a wire with its terminator unchanged', () => {
  expect(sseTerminator('[DONE]')).toBe('data: [DONE]\n\n')
})
