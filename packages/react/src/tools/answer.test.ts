import { expect, it } from 'vitest'
import { answerText } from './answer.ts'

it('says who answered a question: a person here, a client, or the stream itself', () => {
  expect(answerText({ state: 'approved', by: 'server' })).toBe('approved by you')
  expect(answerText({ state: 'denied', by: 'client' })).toBe('denied by its client')
  expect(answerText({ state: 'answered' })).toBe('answered in the stream')
  expect(answerText({ state: 'expired', by: 'server' })).toBe('expired')
  expect(answerText({ state: 'requested' })).toBeUndefined()
})
