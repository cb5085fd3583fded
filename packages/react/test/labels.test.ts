import { describe, expect, it } from 'vitest'
import { announcementsOf } from '../src/announcements.ts'
import { durationText } from '../src/durations.ts'
import { englishLabels, type Labels, labelsWith } from '../src/labels.ts'
import { bytesText, costText, countText, timeText } from '../src/numbers.ts'
import type { Toggles } from '../src/toggles.ts'
import { eventOf, htmlOf } from './html.ts'
import type { Case } from './sheet/case.ts'
import { eventCases } from './sheet/events.ts'
import { blockCases, cardCases } from './sheet/others.ts'
import { toolCases } from './sheet/tools.ts'
import { componentSources, spokenTextsIn } from './sources.ts'

describe('the scan for texts outside the labels', () => {
  it.each([
    ['text', '<p>Hello</p>', ['Hello']],
    ['text beside a value', '<p>{count} of all</p>', ['of all']],
    ['a text in braces', "<p>{'Hello'}</p>", ['Hello']],
    ['a text of a condition', "<p>{isOpen ? 'Open' : labels.closed}</p>", ['Open']],
    ['a text behind a condition', "<p>{isOpen && 'Open'}</p>", ['Open']],
    ['a text in a fragment', '<>Hello</>', ['Hello']],
    ['a template', `<p>{\`\${count} lines\`}</p>`, ['lines']],
    ['a label', '<ul aria-label="Pictures" />', ['Pictures']],
    ['a label in braces', "<ul aria-label={isAll ? 'All' : 'Some'} />", ['All', 'Some']],
    ['a template in a label', `<ul aria-label={\`Enlarge \${name}\`} />`, ['Enlarge']],
    ['a title', '<p title="Hello" />', ['Hello']],
    ['a placeholder', '<input placeholder="Hello" />', ['Hello']],
    ['the text of an image', '<img alt="Hello" />', ['Hello']],
    ['a label of our own parts', '<Output label="Hello" />', ['Hello']],
    ['a text inside another attribute', '<Card end={<b>Hello</b>} />', ['Hello']],
  ])('finds %s', (_, jsx, texts) => {
    expect(spokenTextsIn(`const a = ${jsx}`)).toEqual(texts)
  })

  it.each([
    ['a class', '<p className="mr-card">{labels.plan}</p>'],
    ['a comparison', "<p>{state === 'done' ? labels.done : name}</p>"],
    ['an argument', "<p>{facts.join(' and ')}</p>"],
    ['a sign', '<p>{a} · {b}</p>'],
    ['a name of an icon inside', '<p><Icon name="check" /></p>'],
    ['code', "['Hello']"],
  ])('does not count %s', (_, jsx) => {
    expect(spokenTextsIn(`const a = ${jsx}`)).toEqual([])
  })

  it.each(componentSources())('%s has no text of its own', (_, source) => {
    expect(spokenTextsIn(source)).toEqual([])
  })
})

/** Labels that are recognisable: every text of the package is between brackets. */
const marked = Object.fromEntries(
  Object.entries(englishLabels).map(([key, label]) => {
    if (key.endsWith('Key') || key.endsWith('Counts') || key.endsWith('Status')) return [key, table(key, label)]
    return [key, typeof label === 'function' ? mark : `⟦${key}⟧`]
  }),
) as unknown as Labels

/** The arguments stay: names, and numbers that may themselves be marked. */
function mark(...values: readonly unknown[]): string {
  return `⟦ ⟧${values.flat().join(' ')}`
}

function table(key: string, label: unknown): unknown {
  if (typeof label === 'string') return label
  const entries = Object.keys(label as object).map((name) => [name, key.endsWith('Counts') ? mark : `⟦${name}⟧`])
  return Object.fromEntries(entries)
}

const cases: readonly Case[] = [...toolCases, ...blockCases, ...cardCases, ...eventCases]
const fixed = (isOpen: boolean): Toggles => ({ get: () => isOpen, set: () => {}, subscribe: () => () => {} })

/** What a person reads or hears. */
function spokenIn(html: string): string {
  const attributes = [...html.matchAll(/ (?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, text]) => text)
  return [html.replace(/<[^>]*>/g, '\n'), ...attributes]
    .join('\n')
    .replace(/⟦[^⟧]*⟧/g, '\n')
    .replace(/&#x27;|&quot;|&lt;|&gt;|&amp;/g, '\n')
}

describe('every state', () => {
  it.each(cases.map((each) => [each.name, each] as const))(
    '%s: has only words of its data and of the labels',
    (_, each) => {
      const event = eventOf(each.segments, { state: 'live', ...each.event })
      const ways = [{ toggles: fixed(true) }, { toggles: fixed(false) }, { isOver: true, toggles: fixed(true) }]
      const html = ways.map((way) =>
        htmlOf(event, { onAnswer: () => {}, onContinue: () => {}, ...way, ...each.options, labels: marked }),
      )
      const announced = [...announcementsOf([event], marked).values()].join('\n')
      const given = `${JSON.stringify(event)} actions of USD KB MB`.toLowerCase()
      const words = spokenIn(`${html.join('\n')}\n${announced}`).match(/\p{L}{3,}/gu) ?? []
      expect([...new Set(words)].filter((word) => !given.includes(word.toLowerCase()))).toEqual([])
    },
  )
})

describe('labels', () => {
  it('replace the English ones, each on its own; an absent one is none', () => {
    const words = (labels: Partial<Labels>) => htmlOf(eventOf([], { role: 'user' }), { labels })
    expect(words({ user: 'Nutzer' })).toContain('<h2>Nutzer</h2>')
    expect(words({ you: 'Sie' })).toContain('<h2>User</h2>')
    expect(labelsWith({ user: undefined } as unknown as Partial<Labels>).user).toBe('User')
  })

  it('write numbers, amounts and times as the locale does', () => {
    const german = labelsWith({ locale: 'de', seconds: (seconds) => `${seconds} s` })
    const at = new Date(2026, 0, 1, 15, 4).getTime()
    expect([
      durationText(9400, german),
      bytesText(1100, german),
      costText(0.35, german).replace(/\s/g, ' '),
      countText(1201, german.lines, german),
      timeText(at, german),
    ]).toEqual(['9,4 s', '1,1 KB', '0,35 $', '1.201 lines', '15:04'])
    expect(timeText(at, englishLabels)).toBe('15:04')
    expect(timeText(at, { ...englishLabels, locale: 'en-US' }).replace(/\s/g, ' ')).toBe('03:04 PM')
  })

  it('with a wrong locale are refused, with the field and what was expected', () => {
    expect(() => labelsWith({ locale: 'de_DE' })).toThrow(
      'labels.locale is "de_DE"; expected a language tag such as "de" or "en-GB".',
    )
  })
})
