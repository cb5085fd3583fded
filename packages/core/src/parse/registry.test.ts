import { afterEach, describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { type RawRecord, recordOf } from '../source/source.ts'
import { byShape } from './by-shape.ts'
import { DETECT_WITHIN, detectFormat } from './detect.ts'
import { aliases, allParsers, getParser, parsers, registerParser } from './index.ts'
import type { Parser, Recognition } from './parser.ts'

const status = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })

/** Recognises a record by the number in it, and names itself in every event. */
const stub = (name: string, certaintyOf: (value: number) => number | undefined, version = 1): Parser => ({
  version,
  losses: {},
  recognize({ value }): Recognition | undefined {
    const certainty = certaintyOf(value as number)
    return certainty === undefined ? undefined : { certainty, reason: `${name} saw ${value}` }
  },
  create: () => ({
    push: (value) => [status(`${name} ${value}`)],
    end: () => [status(`${name} end`)],
    release: () => [status(`${name} release`)],
  }),
})

const records = (...values: readonly number[]): RawRecord[] => values.map((value) => recordOf(String(value)))

describe('the registry', () => {
  const removals: (() => void)[] = []
  const add = (name: string, parser: Parser) => {
    const remove = registerParser(name, parser)
    removals.push(remove)
    return remove
  }
  afterEach(() => {
    for (const remove of removals.splice(0)) remove()
  })

  it.each([1, 2, 3])('adds a parser and removes it, %i times', (times) => {
    for (let time = 0; time < times; time++) {
      const parser = stub('added', () => 1)
      const remove = add('added', parser)
      expect(getParser('added')).toBe(parser)
      expect(allParsers().added).toBe(parser)
      remove()
      remove()
      expect(() => getParser('added')).toThrow(expect.objectContaining({ code: 'unknown-format' }))
      expect(Object.keys(allParsers())).toEqual(Object.keys(parsers))
    }
  })

  it('puts the newest parser in place of a format or an alias, and the removal of an older one leaves it', () => {
    const [older, newer] = [stub('older', () => 1), stub('newer', () => 1)]
    for (const name of ['langgraph', 'claude']) {
      const removeOlder = add(name, older)
      const removeNewer = add(name, newer)
      removeOlder()
      expect(getParser(name)).toBe(newer)
      removeNewer()
      expect(getParser(name)).not.toBe(newer)
    }
    expect(getParser('langgraph')).toBe(parsers.langgraph)
  })

  it('has no parser of a name that every object inherits', () => {
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect(() => getParser(name)).toThrow(expect.objectContaining({ code: 'unknown-format' }))
  })

  it('has the parser itself under an alias of one format', () => {
    for (const [alias, [only, ...others]] of Object.entries(aliases))
      if (others.length === 0) expect(getParser(alias)).toBe(parsers[only])
  })
})

describe('a choice by shape', () => {
  const low = stub('low', (value) => (value < 5 ? 0.6 : undefined), 3)
  const high = stub('high', (value) => (value > 2 ? 0.6 + value / 100 : 0), 2)
  const chosen = byShape([low, high])
  const messagesOf = (events: readonly StreamEvent[]) => events.map((event) => 'message' in event && event.message)

  it('is made by the first record that is recognised, and stays', () => {
    for (const [first, name] of [
      [1, 'low'],
      [3, 'high'],
      [9, 'high'],
    ] as const) {
      const state = chosen.create()
      const pushed = [first, 1, 9, 1].flatMap((value) => state.push(value, recordOf(String(value))))
      expect(messagesOf(pushed)).toEqual([`${name} ${first}`, `${name} 1`, `${name} 9`, `${name} 1`])
      expect(messagesOf(state.end())).toEqual([`${name} end`])
      expect(messagesOf(state.release?.() ?? [])).toEqual([`${name} release`])
    }
  })

  it('keeps what comes before it, and gives nothing at the end of a stream without it', () => {
    const none = byShape([stub('never', () => undefined), stub('not', () => 0)])
    const state = none.create()
    expect(state.push(1, recordOf('1'))).toEqual([{ type: 'raw', value: 1, reason: 'unmapped' }])
    expect([state.end(), state.release?.()]).toEqual([[], []])
    expect(none.recognize(recordOf('1'))).toBeUndefined()
  })

  it('has the newest version, and the recognition of the most certain', () => {
    expect(chosen.version).toBe(3)
    expect(chosen.recognize(recordOf('4'))?.reason).toBe('high saw 4')
    expect(chosen.recognize(recordOf('1'))?.reason).toBe('low saw 1')
  })
})

describe('detection', () => {
  const always = (name: string, certainty: number) => stub(name, () => certainty)
  const detect = (found: readonly Parser[], ...values: readonly number[]) =>
    detectFormat(Object.fromEntries(found.map((parser, index) => [`f${index}`, parser])), records(...values))

  it('says why it is unsure: no records, no JSON, no parser, too little, two at once', () => {
    const reasons = [
      detectFormat(parsers, []),
      detectFormat(parsers, [recordOf('no json {')]),
      detect([stub('x', () => undefined)], 1),
      detect([always('x', 0.4)], 1),
      detect([always('x', 0.9), always('y', 0.8)], 1),
      detectFormat({ x: stub('x', () => undefined) }, [recordOf('{\n"a": 1\n}')]),
    ]
    expect(reasons).toEqual([
      { format: undefined, certainty: 0, reason: 'there are no records.' },
      { format: undefined, certainty: 0, reason: 'no record is JSON.' },
      { format: undefined, certainty: 0, reason: 'no parser knows these records.' },
      { format: undefined, certainty: 0.4, reason: 'it looks most like f0, but only 40 % sure.', guess: 'f0' },
      { format: undefined, certainty: 0.9, reason: 'it could be f0 (90 % sure) or f1 (80 % sure).', guess: 'f0' },
      {
        format: undefined,
        certainty: 0,
        reason: 'it is one JSON document over several lines, not a stream of records.',
      },
    ])
  })

  it('is sure from a half on, and with a margin', () => {
    expect(detect([always('x', 0.5), always('y', 0.25)], 1).format).toBe('f0')
    expect(detect([always('y', 0.5), always('x', 0.75)], 1, 2).format).toBe('f1')
  })

  it('gives the reason of the first of the most certain records', () => {
    const rising = stub('x', (value) => value / 10)
    expect(detect([rising], 6, 9, 9, 7).reason).toBe('x saw 9')
    const named = stub('x', (value) => (value === 1 ? 0.7 : 0.9))
    expect(detect([named], 1, 2, 3).reason).toBe('x saw 2')
  })

  it('prefers a format that recognises all records to one that is surer of some', () => {
    const some = stub('some', (value) => (value === 1 ? undefined : 1))
    expect(detect([some, always('all', 0.6)], 1, 2, 3, 4, 5, 6).format).toBe('f1')
    expect(detect([some, always('all', 0.4)], 1, 2, 3, 4, 5, 6).format).toBe('f0')
  })

  it(`reads the first ${DETECT_WITHIN} records, and none that is not JSON`, () => {
    const many = records(...Array.from({ length: DETECT_WITHIN }, () => 1))
    const strict = stub('x', (value) => (value === 1 ? 0.8 : -1))
    expect(detectFormat({ x: strict }, [...many, ...records(2, 2, 2)]).certainty).toBeCloseTo(0.8)
    expect(detectFormat({ x: strict }, [...many.slice(1), ...records(2)]).certainty).toBeLessThan(0.8)
    expect(detectFormat({ x: strict }, [recordOf('{'), ...records(1)]).certainty).toBeCloseTo(0.8)
  })
})
