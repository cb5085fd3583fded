import type { Feature } from '@millrace/core/losses'
import { type WireName, wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { featureTitle, lossesText, shownFirst, streamAddresses, wireFactsOf } from './wire-facts.ts'

const everything = new Map<Feature, number>(
  (Object.values(wires).flatMap(({ losses }) => Object.keys(losses)) as Feature[]).map((feature) => [feature, 3]),
)

describe('what wires carry of a run', () => {
  it('names every wire of the registry, in its order', () => {
    expect(wireFactsOf(new Map()).map(({ wire }) => wire)).toEqual(Object.keys(wires))
  })

  it.each(Object.keys(wires) as WireName[])('lists all that %s loses of a run that has everything', (wire) => {
    const facts = wireFactsOf(everything).find((each) => each.wire === wire)
    const { losses, profiles } = wires[wire]
    const expected = Object.entries(losses).map(([feature, reason]) => ({ feature, count: 3, reason }))
    expect(facts).toEqual({ wire, losses: expected, untouched: 0, profiles })
  })

  it.each(Object.keys(wires) as WireName[])('lists nothing for %s if the run has none of what it loses', (wire) => {
    const facts = wireFactsOf(new Map([['todos', 0]])).find((each) => each.wire === wire)
    expect(facts).toMatchObject({ losses: [], untouched: Object.keys(wires[wire].losses).length })
  })

  it('counts only the features of the run', () => {
    const facts = wireFactsOf(new Map([['times', 34]])).find(({ wire }) => wire === 'ai-sdk')
    expect(facts?.losses).toMatchObject([{ feature: 'times', count: 34 }])
    expect(facts?.untouched).toBe(Object.keys(wires['ai-sdk'].losses).length - 1)
  })

  it('opens first a wire that may lose something', () => {
    expect(shownFirst).toBeDefined()
    expect(Object.keys(wires[shownFirst as WireName].losses)).not.toEqual([])
  })

  it('names features in words', () => {
    const losses = [
      { feature: 'other-roles', count: 1, reason: 'No.' },
      { feature: 'todos', count: 2, reason: 'No.' },
    ] as const
    expect(lossesText(losses)).toBe('messages of others, plans')
    expect(featureTitle('other-roles')).toBe('Messages of others')
  })
})

describe('the addresses of a run', () => {
  it('are the stream and the socket of the run, with the wire', () => {
    expect(streamAddresses('https://mill.example', 'run/1', 'ai-sdk')).toEqual([
      { kind: 'SSE', url: 'https://mill.example/api/runs/run%2F1/stream?wire=ai-sdk' },
      { kind: 'WebSocket', url: 'wss://mill.example/api/runs/run%2F1/ws?wire=ai-sdk' },
    ])
  })
})
