import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventOf } from './html.ts'
import { text } from './segments.ts'
import type { Case } from './sheet/case.ts'
import { eventCases } from './sheet/events.ts'
import { blockCases, cardCases } from './sheet/others.ts'
import { toolCases } from './sheet/tools.ts'

const BROWSER = ['window', 'document', 'navigator', 'matchMedia', 'localStorage', 'sessionStorage', 'location', 'self']
const written =
  '```ts\nlet a\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![i](https://a.example/i.png) [^1]\n\n[^1]: A note.'
const cases: readonly Case[] = [
  ...[...toolCases, ...blockCases, ...cardCases, ...eventCases],
  { name: 'every part of a text', segments: [text(1, written)] },
]
const touched: string[] = []

/** A server has none of these. Whoever reads one here is noted. `typeof` of an absent name reads nothing. */
function withoutBrowser(): void {
  for (const name of BROWSER) {
    if (name in globalThis) {
      const read = () => void touched.push(name)
      Object.defineProperty(globalThis, name, { configurable: true, get: read })
    }
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('on a server', () => {
  it('every state is drawn without anything of a browser, at import and at render, and without a warning', async () => {
    withoutBrowser()
    vi.resetModules()
    const warnings = vi.spyOn(console, 'error')
    const { ThreadView } = await import('../src/index.ts')
    for (const { segments, event, options } of cases) {
      const shown = { events: [eventOf(segments, { state: 'live', ...event })], ...options }
      expect(renderToString(createElement(ThreadView, shown))).toContain('mr-turn')
    }
    expect([touched, warnings.mock.calls]).toEqual([[], []])
  })

  it('no counter and no time of day is in the HTML: the reader has another clock', async () => {
    const { ThreadView } = await import('../src/index.ts')
    const events = [
      eventOf([{ type: 'reasoning', id: 'r', text: 'a', state: 'live', startedAt: 1, seqs: [1, 1] }], {
        state: 'live',
      }),
      eventOf([], { id: 'u', role: 'user', startedAt: Date.UTC(2026, 0, 1, 12) }),
    ]
    const html = renderToString(createElement(ThreadView, { events, now: () => 61_000 }))
    expect(html).toContain('<span class="mr-time"></span>')
    expect(html).toContain('<time dateTime="2026-01-01T12:00:00.000Z"></time>')
  })
})

describe('the sources', () => {
  const src = fileURLToPath(new URL('../src', import.meta.url))
  const sources = globSync('**/*.{ts,tsx}', { cwd: src }).filter((path) => !path.includes('.test.'))

  /** React 19 has them, React 18 does not. */
  const ONLY_19 =
    /\buse\(|\buseActionState\b|\buseOptimistic\b|\buseFormStatus\b|\buseEffectEvent\b|<\w*Context value=|<(?:Footnotes|InsideLink) |<title>|<meta |\bActivity\b|\bViewTransition\b|\binert=/

  it.each(sources)('%s uses nothing that React 18 does not have', (path) => {
    expect(ONLY_19.exec(readFileSync(`${src}/${path}`, 'utf8'))?.[0]).toBeUndefined()
  })
})
