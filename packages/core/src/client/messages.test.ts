import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { StreamEvent } from '../events.ts'
import { createMessageNotes, sendMessage } from './messages.ts'

const steer = (messageId: string, dropped?: true): StreamEvent => ({
  type: 'control',
  action: 'steer',
  messageId,
  ...(dropped && { dropped }),
})
const start = (messageId: string): StreamEvent => ({ type: 'message-start', role: 'user', messageId })

it('a message waits from its control entry until it is taken or dropped', () => {
  const notes = createMessageNotes()
  for (const event of [steer('a'), steer('b'), steer('c'), start('a'), steer('b', true)]) notes.note(event)
  expect([...notes.snapshot()]).toEqual([
    ['a', 'taken'],
    ['b', 'dropped'],
    ['c', 'waiting'],
  ])
})

it('what is no message of a person changes nothing, not even the object', () => {
  const notes = createMessageNotes()
  const before = notes.snapshot()
  notes.note({ type: 'control', action: 'stop' })
  notes.note(start('input-1'))
  notes.note({ type: 'message-end', messageId: 'input-1' })
  expect(notes.snapshot()).toBe(before)
})

it('a lost response is retried under the same id; a refusal is not', async () => {
  const ids: string[] = []
  const failures = [new ApiError(0, 'no-answer', 'Lost.'), new ApiError(503, 'busy', 'Busy.')]
  const setTimer = (_: number, call: () => void) => {
    queueMicrotask(call)
    return () => {}
  }
  const api = {
    async steer(_runId: string, { messageId }: { readonly messageId: string }) {
      ids.push(messageId)
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return { messageId, delivered: 'now' as const }
    },
  }
  const message = { messageId: 'm', text: 'Left!' }
  expect(await sendMessage(api, 'r', message, { setTimer })).toEqual({ messageId: 'm', delivered: 'now' })
  expect(ids).toEqual(['m', 'm', 'm'])
  failures.push(new ApiError(409, 'nobody-listens', 'Nobody listens.'))
  await expect(sendMessage(api, 'r', message, { setTimer })).rejects.toThrow('Nobody listens.')
  expect(ids).toHaveLength(4)
})
