import { describe, expect, it } from 'vitest'
import { announcementsOf } from '../src/announcements.ts'
import { englishLabels } from '../src/labels.ts'
import type { Toggles } from '../src/toggles.ts'
import { eventOf, htmlOf } from './html.ts'
import { outlineOf } from './outline.ts'
import type { Case } from './sheet/case.ts'
import { eventCases } from './sheet/events.ts'
import { blockCases, cardCases } from './sheet/others.ts'
import { toolCases } from './sheet/tools.ts'

const sheets: { readonly [name: string]: readonly Case[] } = {
  tools: toolCases,
  blocks: blockCases,
  cards: cardCases,
  events: eventCases,
}

const fixed = (isOpen: boolean): Toggles => ({ get: () => isOpen, set: () => {}, subscribe: () => () => {} })
const host = { onAnswer: () => {} }

/** Each way in which a case can meet a person. */
const ways = {
  'by itself': host,
  'without a host': {},
  open: { ...host, toggles: fixed(true) },
  closed: { ...host, toggles: fixed(false) },
  over: { ...host, isOver: true },
} as const

function drawn({ segments, event, options }: Case, way: keyof typeof ways): string {
  return htmlOf(eventOf(segments, { state: 'live', ...event }), { ...ways[way], ...options })
}

/** Ways that look the same are written once. */
function written(each: Case): string {
  const byLook = new Map<string, string[]>()
  for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
    const look = outlineOf(drawn(each, way))
    byLook.set(look, [...(byLook.get(look) ?? []), way])
  }
  const announced = [
    ...announcementsOf([eventOf(each.segments, { state: 'live', ...each.event })], englishLabels).values(),
  ]
  const heading = `## ${each.name}\nannounced: ${announced.join(' | ')}`
  return [heading, ...[...byLook].map(([look, names]) => `(${names.join(', ')})\n${look}`)].join('\n')
}

/** The sheets are reviewed like code. */
describe.each(Object.entries(sheets))('every state of %s', (name, cases) => {
  it('is shown in the words, icons and tones of its sheet', async () => {
    await expect(`${cases.map(written).join('\n\n')}\n`).toMatchFileSnapshot(`./sheet/${name}.txt`)
  })

  it.each(cases.map((each) => [each.name, each] as const))('%s: does not look live once its run is over', (_, each) => {
    expect(drawn(each, 'over')).not.toMatch(/mr-asking|mr-spinner|mr-caret|mr-growing|mr-shimmer|Approve <kbd>/)
  })

  it.each(cases.map((each) => [each.name, each] as const))(
    '%s: every trigger says whether it is open, and is',
    (_, each) => {
      expect(drawn(each, 'open')).not.toContain('aria-expanded="false"')
      const closed = drawn(each, 'closed')
      expect(closed).not.toContain('aria-expanded="true"')
      // A question is never collapsed.
      if (!closed.includes('mr-asking')) expect(closed).not.toMatch(/mr-well|mr-nest|mr-todos|mr-lines|mr-thought/)
    },
  )
})
