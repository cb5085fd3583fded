import { expect, it } from 'vitest'
import { createMessageIds } from './ids.ts'

it('gives every message of a run its own id, and the same ids each time', () => {
  const first = createMessageIds('run')
  const again = createMessageIds('run')
  const ids = Array.from({ length: 20_000 }, () => first.next())
  expect(new Set(ids).size).toBe(20_000)
  expect(ids.every((id) => /^msg_[\da-f]{8}$/.test(id))).toBe(true)
  expect(ids.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => again.next()))
  expect(createMessageIds('other').next()).not.toBe(ids[0])
})

it('S2-20: names a stream by its step and type, and distinguishes streams that share both', () => {
  const ids = createMessageIds('run')
  expect(ids.stream(1, 'planning_content').streamId).toBe('msg-1-planning_content-stream')
  expect(ids.stream(1, 'action_thought')).toEqual({
    streamId: 'msg-1-action_thought-stream',
    messageId: 'run/msg-1-action_thought-stream',
  })
  expect(ids.stream(1, 'action_thought').streamId).toBe('msg-1-action_thought-stream-2')
})
