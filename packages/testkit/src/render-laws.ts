import type { Entry } from '@millrace/core/events'
import { type ChatEvent, createFold, fold } from '@millrace/core/fold'
import type { Run } from './fold-laws.ts'
import type { Effort, Law, Verdict } from './law.ts'
import { sample, upTo } from './seeded.ts'

/** A renderer: one chat event to HTML, with no clock. */
export type Render = (event: ChatEvent) => string

/** Each law of a renderer over one run. */
export function renderLaws(render: Render): readonly Law<Run>[] {
  return [
    {
      promise: 'draws each prefix of a live run as it draws the stored one, read back through JSON',
      *check({ entries }, effort) {
        const live = createFold()
        const wanted = new Set(prefixesOf(entries, effort))
        let before: readonly ChatEvent[] = []
        for (const [index, entry] of entries.entries()) {
          live.push([entry])
          if (!wanted.has(index + 1)) continue
          const { chatEvents } = live.snapshot()
          const stored = fold(throughJson(entries.slice(0, index + 1))).chatEvents
          // A chat event that has not changed was compared before.
          const fresh = chatEvents.findIndex((event, position) => event !== before[position])
          const from = fresh === -1 ? chatEvents.length : fresh
          yield sameHtml(render, chatEvents.slice(from), stored.slice(from), `after ${index + 1} entries`)
          before = chatEvents
        }
      },
    },
    {
      promise: 'draws the whole run as it draws its chat events read back through JSON',
      *check({ entries }) {
        const { chatEvents } = fold(entries)
        yield sameHtml(render, chatEvents, throughJson(chatEvents), 'the whole run')
      },
    },
    {
      promise: 'draws something for every chat event that has text',
      *check({ entries }) {
        for (const event of fold(entries).chatEvents) {
          const hasText = event.segments.some((segment) => segment.type === 'text' && /[a-z]{3}/i.test(segment.text))
          yield hasText && !/>[^<]+</.test(render(event)) ? `nothing of ${event.id} is drawn` : undefined
        }
      },
    },
  ]
}

function sameHtml(render: Render, live: readonly ChatEvent[], stored: readonly ChatEvent[], when: string): Verdict {
  if (live.length !== stored.length) return `${when}: ${live.length} live and ${stored.length} stored chat events`
  const [one, other] = [live, stored].map((events) => events.map(render).join('\n'))
  if (one === undefined || other === undefined || one === other) return undefined
  const at = [...one].findIndex((character, index) => character !== other[index])
  return `${when}: live ${JSON.stringify(one.slice(at, at + 60))}, stored ${JSON.stringify(other.slice(at, at + 60))}`
}

/** The last entry is always included: a store holds ended runs. */
function prefixesOf(entries: readonly Entry[], { prefixes, seed }: Effort): readonly number[] {
  return [...sample(upTo(entries.length), prefixes, seed), entries.length]
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
