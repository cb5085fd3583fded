import { expect, it } from 'vitest'
import { eventOf } from '../test/html.ts'
import { text } from '../test/segments.ts'
import { eventsToDraw } from './thread-view.tsx'

it('S3-31: draws the live draft of an event if there is one, else the stored event', () => {
  const stored = [eventOf([text(1, 'kept')], { id: 'a' }), eventOf([text(2, 'old')], { id: 'b' })]
  const live = [
    eventOf([text(2, 'older and newer')], { id: 'b', state: 'live' }),
    eventOf([text(3, 'new')], { id: 'c' }),
  ]
  expect(eventsToDraw(stored, live)).toEqual([stored[0], live[0], live[1]])
  expect(eventsToDraw(stored, [])).toBe(stored)
})
