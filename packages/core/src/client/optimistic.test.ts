import { expect, it } from 'vitest'
import { userEvents } from '../../test/client/threads.ts'
import { fold } from '../fold/fold.ts'
import { expectedChatEvents } from './optimistic.ts'

it('expects the message as it will be logged, with the same id and maker', () => {
  const entries = userEvents('Hello?').map((event, index) => ({
    seq: index + 1,
    at: 5,
    event,
    rawThrough: 0,
    by: 'server' as const,
  }))
  const [logged] = fold(entries, { runId: 'r' }).chatEvents
  const [expected] = expectedChatEvents('r', { text: 'Hello?' }, 5)
  const shown = ({ id, runId, role, by, state, segments }: NonNullable<typeof logged>) => {
    const texts = segments.map((segment) => (segment.type === 'text' ? [segment.id, segment.text] : segment.type))
    return { id, runId, role, by, state, texts }
  }
  if (logged === undefined || expected === undefined) expect.fail()
  expect(shown(expected)).toEqual(shown(logged))
  expect(expected.by).toBe('server')
})
