import type { Api, Overview } from '@millrace/core/client'
import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { costText, countText } from '../words/numbers.ts'
import { midnight } from './runs-route.ts'

/** The list may change many times a second: the counters are asked for once after it rests this long. */
const REST_MS = 400

/** What the log has counted today; undefined until the server has answered. It follows the list. */
export function useOverview(): Overview | undefined {
  const { api, threadList } = useApp()
  const [overview, setOverview] = useState<Overview>()
  useEffect(() => {
    let isLeft = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      // Without an answer the counters stay as they were; the list says why.
      todaysOverview(api).then(
        (next) => !isLeft && setOverview(next),
        () => undefined,
      )
    }
    const leave = threadList.onChange(() => {
      timer ??= setTimeout(read, REST_MS)
    })
    read()
    return () => {
      isLeft = true
      clearTimeout(timer)
      leave()
    }
  }, [api, threadList])
  return overview
}

function todaysOverview(api: Api): Promise<Overview> {
  const now = new Date()
  return api.overview({ since: midnight(now), before: midnight(now, 1) })
}

export function Counters({ overview }: { readonly overview: Overview | undefined }) {
  return (
    <ul className="counters" aria-label="Today">
      {countersOf(overview).map(({ value, words, tone }) => (
        <li key={words} className={tone === undefined ? 'counter' : `counter counter-${tone}`}>
          <b>
            {tone === 'live' && <span className="dot" />}
            {value}
          </b>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  )
}

interface Counter {
  readonly value: string
  readonly words: string
  /** Colour is state: none without one. */
  readonly tone?: 'live' | 'warn' | 'bad'
}

function countersOf(overview: Overview | undefined): readonly Counter[] {
  if (overview === undefined) return NAMES.map((words) => ({ value: '–', words }))
  const { live, needsYou, runs, earlier, failed, costUsd, tokens, cachedTokens, isPartial } = overview
  const most = isPartial ? '+' : ''
  const cached = tokens === 0 ? 0 : Math.min(100, Math.round((100 * cachedTokens) / tokens))
  return [
    { value: String(live), words: 'live now', ...(live > 0 && { tone: 'live' as const }) },
    {
      value: String(needsYou),
      words: needsYou === 1 ? 'needs you' : 'need you',
      ...(needsYou > 0 && { tone: 'warn' as const }),
    },
    { value: `${runs}${most}`, words: `${runs === 1 ? 'run' : 'runs'} today, ${earlier}${most} yesterday` },
    { value: `${failed}${most}`, words: 'failed today', ...(failed > 0 && { tone: 'bad' as const }) },
    { value: costText(costUsd), words: 'spent today' },
    { value: countText(tokens), words: cachedTokens > 0 ? `tokens, ${cached} % cached` : 'tokens today' },
  ]
}

const NAMES = ['live now', 'need you', 'runs today', 'failed today', 'spent today', 'tokens today']
