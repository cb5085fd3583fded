import type { ChatEvent } from '@millrace/core/fold/shapes'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { announcementsOf } from '../src/announcements.ts'
import { englishLabels } from '../src/labels.ts'
import { eventsToDraw, ThreadView, type ThreadViewProps } from '../src/thread-view.tsx'
import { eventOf, wordsOf } from './html.ts'
import { error, text, thought, tool } from './segments.ts'

const message = (runId: string, name: string, ...segments: ChatEvent['segments']) =>
  eventOf(segments, { id: `${runId}/${name}`, runId })
const drawn = (events: readonly ChatEvent[], options: Omit<ThreadViewProps, 'events'> = {}) =>
  renderToStaticMarkup(createElement(ThreadView, { ...options, events }))

describe('a thread of several runs', () => {
  const events = [
    message('one', 'a', text(1, 'A.'), error(2, 'Late')),
    message('one', 'b', text(3, 'B.'), error(4, 'Broken')),
    message('two', 'a', tool(1, 'Bash', { state: 'running' })),
    message('three', 'a', tool(1, 'Bash', { state: 'running' }), thought(2, 'Hm')),
  ]

  it('draws what follows a run once, after its last message', () => {
    const words = wordsOf(drawn(events, { renderAfterRun: (runId) => `[after ${runId}]` }))
    expect(words.match(/\[after \w+\]/g)).toEqual(['[after one]', '[after two]', '[after three]'])
    expect(words.indexOf('[after one]')).toBeGreaterThan(words.indexOf('Broken'))
    expect(words.indexOf('[after one]')).toBeLessThan(words.indexOf('Using Bash'))
  })

  it('has one alert per run that ended with an error: an error before its last message is a line', () => {
    expect(drawn(events).match(/role="alert"/g)).toHaveLength(1)
    expect(wordsOf(drawn(events))).toContain('Error · Late')
  })

  it('shows as live only what belongs to a run that has not ended', () => {
    expect(drawn(events).match(/mr-spinner/g)).toHaveLength(2)
    expect(drawn(events, { endedRuns: new Set(['two']) }).match(/mr-spinner/g)).toHaveLength(1)
    expect(drawn(events, { endedRuns: new Set(['two', 'three']) })).not.toContain('mr-spinner')
  })

  it('opens a live block only in its last message', () => {
    expect(drawn(events)).toContain('aria-expanded="true"')
    expect(drawn([...events, message('four', 'a', text(1, 'Newer.'))]).match(/aria-expanded="true"/g)).toBeNull()
  })

  it('draws stored messages in their order with their drafts, however often a draft is merged', () => {
    const draft = message('one', 'b', text(3, 'B, longer.'))
    const fresh = message('five', 'a', text(1, 'New.'))
    let shown: readonly ChatEvent[] = events
    for (let round = 0; round < 3; round++) shown = eventsToDraw(shown, [draft, fresh])
    expect(shown.map(({ id }) => id)).toEqual([...events.map(({ id }) => id), 'five/a'])
    expect(shown[1]).toBe(draft)
  })
})

describe('announcements', () => {
  const of = (events: readonly ChatEvent[]) => [...announcementsOf(events, englishLabels).values()]

  it('are as many as there are things, in one message and in several, inside subagents too', () => {
    const scout = (seq: number): ChatEvent['segments'][number] => ({
      type: 'subagent',
      agentId: `s${seq}`,
      name: 'scout',
      state: 'done',
      segments: [tool(seq + 1, 'Bash'), text(seq + 2, 'Here.')],
      startedAt: 1,
      seqs: [seq, seq + 2],
    })
    for (const count of [1, 2, 3]) {
      const segments = Array.from({ length: count }, (_, index) => scout(index * 10 + 1))
      expect(of([eventOf(segments)])).toHaveLength(count * 3)
      expect(of(segments.map((segment, index) => eventOf([segment], { id: `m${index}` })))).toHaveLength(count * 3)
    }
  })

  it('are none for the words of the user and for what was withdrawn', () => {
    expect(
      of([eventOf([text(1, 'A.')], { role: 'user' }), eventOf([text(2, 'B.')], { id: 'b', state: 'retracted' })]),
    ).toEqual([])
  })
})
