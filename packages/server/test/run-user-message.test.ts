import { describe, expect, it } from 'vitest'
import { userMessage } from '../src/run/user-message.ts'

const file = { id: 'f', mediaType: 'image/png', size: 3 }
const output = { callId: 'c', output: 7 }
const typesOf = (input: Parameters<typeof userMessage>[0]) => userMessage(input).map(({ type }) => type)

describe("a person's input", () => {
  it('is a message with its text and its files', () => {
    const block = ['block-start', 'block-delta', 'block-end']
    expect(typesOf({ text: 'Go' })).toEqual(['message-start', ...block, 'message-end'])
    expect(typesOf({ text: 'Go', files: [file, { ...file, id: 'g' }] })).toEqual([
      'message-start',
      ...block,
      'file',
      'file',
      'message-end',
    ])
    expect(typesOf({ text: 'Go', toolOutputs: [output] })).toEqual(['message-start', ...block, 'message-end'])
  })

  it('is a message if it has only files, also beside outputs of tools', () => {
    expect(typesOf({ text: '', files: [file] })).toEqual(['message-start', 'file', 'message-end'])
    expect(typesOf({ text: '', files: [file], toolOutputs: [output] })).toEqual([
      'message-start',
      'file',
      'message-end',
    ])
  })

  it('is no message if it has only outputs of tools', () => {
    expect(typesOf({ text: '', toolOutputs: [output] })).toEqual([])
    expect(typesOf({ text: '', files: [], toolOutputs: [output] })).toEqual([])
  })
})
