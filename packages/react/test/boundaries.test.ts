import { describe, expect, it } from 'vitest'
import { durationText, secondsText } from '../src/durations.ts'
import { englishLabels } from '../src/labels.ts'
import { tokensOf } from '../src/markdown/highlight.ts'
import { bytesText, countText } from '../src/numbers.ts'
import type { Toggles } from '../src/toggles.ts'
import { argumentOf } from '../src/tools/argument.ts'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { at, text, todos, tool } from './segments.ts'

const open: Toggles = { get: () => true, set: () => {}, subscribe: () => () => {} }
const lines = (count: number) => Array.from({ length: count }, (_, index) => `row${index + 1}.`).join('\n')
const drawn = (...segments: Parameters<typeof eventOf>[0]) =>
  htmlOf(eventOf(segments, { state: 'live' }), { toggles: open })
const countOf = (html: string, part: string | RegExp) => html.split(part).length - 1

describe('numbers at the limits of their units', () => {
  it.each([
    [-5, '0.0s', '0s'],
    [0, '0.0s', '0s'],
    [49, '0.0s', '0s'],
    [500, '0.5s', '1s'],
    [9_949, '9.9s', '10s'],
    [9_950, '10s', '10s'],
    [59_499, '59s', '59s'],
    [59_500, '1m 0s', '1m 0s'],
    [64_000, '1m 4s', '1m 4s'],
    [3_600_000, '1h 0m', '1h 0m'],
  ])('%i ms', (ms, duration, seconds) => {
    expect([durationText(ms, englishLabels), secondsText(ms, englishLabels)]).toEqual([duration, seconds])
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 KB'],
    [9_949, '9.9 KB'],
    [9_950, '10 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [1_000_000, '1.0 MB'],
    [12_400_000, '12 MB'],
  ])('%i bytes', (count, words) => {
    expect(bytesText(count, englishLabels)).toBe(words)
  })

  it.each([
    [0, 0, '0 in 0 out $0.0000'],
    [999, 0.0999, '999 in 999 out $0.0999'],
    [1000, 0.1, '1.0k in 1.0k out $0.10'],
    [999_949, 12, '999.9k in 999.9k out $12.00'],
    [999_950, 100.005, '1.0M in 1.0M out $100.01'],
  ])('%i tokens for %f', (count, costUsd, words) => {
    const usage = { inputTokens: count, outputTokens: count, costUsd }
    expect(wordsOf(htmlOf(eventOf([], { usage })))).toBe(words)
  })

  it.each([
    [0, '0 lines', '0 matches'],
    [1, '1 line', '1 match'],
    [2, '2 lines', '2 matches'],
  ])('%i of a thing', (count, regular, irregular) => {
    const { lines: regularLabel, matches } = englishLabels
    expect([regularLabel, matches].map((label) => countText(count, label, englishLabels))).toEqual([regular, irregular])
  })
})

describe('what is cut, and exactly where', () => {
  it.each([
    ['done', 200, 200, undefined],
    ['done', 201, 24, 'Show 177 more lines'],
    ['done', 1225, 24, 'Show 1,201 more lines'],
    ['failed', 12, 12, undefined],
    ['failed', 13, 12, 'Show 1 more line'],
    ['failed', 300, 12, 'Show 288 more lines'],
    ['running', 12, 12, undefined],
    ['running', 13, 12, 'Show 1 more line'],
  ] as const)('the output of a %s call of %i lines shows %i', (state, count, shown, more) => {
    const output =
      state === 'running'
        ? { progress: [{ channel: 'stdout', text: lines(count) } as const] }
        : { output: lines(count) }
    const html = drawn(tool(1, 'acme', { state, ...output }))
    expect(countOf(html, /row\d+\./)).toBe(shown)
    expect(html).toContain(`row${count}.`)
    expect(/Show [^<]*/.exec(html)?.[0]).toBe(more)
    expect(countOf(html, 'mr-caret')).toBe(state === 'running' ? 1 : 0)
  })

  it.each([
    [3999, undefined],
    [4000, undefined],
    [4001, 'Show whole lines'],
  ])('a line of %i characters', (length, more) => {
    const html = drawn(tool(1, 'acme', { output: 'x'.repeat(length) }))
    expect(/Show [^<]*/.exec(html)?.[0]).toBe(more)
    expect(/x{100,}/.exec(html)?.[0]).toHaveLength(Math.min(length, 4000))
    expect(html.includes('…')).toBe(more !== undefined)
  })

  it.each([
    [8, 8, undefined],
    [9, 5, '4 more'],
    [20, 5, '15 more'],
  ])('a group of %i calls lists %i', (count, listed, more) => {
    const openGroup: Toggles = { ...open, get: (key) => (key.includes('tools-') ? true : undefined) }
    const calls = Array.from({ length: count }, (_, index) => tool(index + 1, 'Read', { input: { path: `${index}` } }))
    const html = htmlOf(eventOf(calls), { toggles: openGroup })
    expect(countOf(html, 'mr-tool-done')).toBe(listed)
    expect(/mr-more">([^<]*)/.exec(html)?.[1]).toBe(more)
    expect(wordsOf(html)).toContain(`Read ${count} files ${count} tools · ${durationText(count * 400, englishLabels)}`)
  })

  it('a long group lists all of its calls if the user has toggled a hidden one', () => {
    const calls = Array.from({ length: 9 }, (_, index) => tool(index + 1, 'Read', { input: { path: `${index}` } }))
    const toggles: Toggles = { ...open, get: (key) => (key.endsWith(':8') ? false : undefined) }
    expect(countOf(htmlOf(eventOf(calls), { toggles }), 'mr-tool-done')).toBe(9)
  })

  it.each([
    ['a command', { name: 'acme', inputText: lines(20) }],
    ['a file', { name: 'Write', input: { path: 'a.txt', content: lines(20) } }],
  ])('%s that is being written shows its last twelve lines', (_what, fields) => {
    const html = drawn(tool(1, fields.name, { state: 'input', inputText: '', ...fields })).replace(
      /<button.*?<\/button>/,
      '',
    )
    expect(html.match(/row\d+\./g)).toEqual(Array.from({ length: 12 }, (_, index) => `row${index + 9}.`))
    expect(countOf(html, 'mr-caret')).toBe(1)
  })

  it('an error that only repeats the exit code is left out below what was printed, a longer one is not', () => {
    const failed = (error: string) =>
      drawn(tool(1, 'Bash', { state: 'failed', error, progress: [{ channel: 'stdout', text: 'printed' }] }))
    const short = 'exit code 1'
    const long = `exit code 1: ${'why '.repeat(20)}`
    expect([short, long].map((error) => wordsOf(failed(error)).includes(error.trim()))).toEqual([false, true])
    expect(wordsOf(failed(short))).toContain('exit 1')
  })

  it.each([
    [12, 12],
    [13, 0],
  ])('a plan of %i steps has %i pips', (count, pips) => {
    const html = drawn(todos(1, Array(count).fill('pending')))
    expect(countOf(html, /mr-pip-/)).toBe(pips)
    expect(wordsOf(html)).toContain(`0 of ${count}`)
  })

  it.each([
    [200, true],
    [201, false],
  ])('a written file of %i lines is coloured: %s', (count, isColoured) => {
    const content = Array.from({ length: count }, () => 'let a').join('\n')
    expect(drawn(tool(1, 'Write', { input: { path: 'a.ts', content } })).includes('mr-token-keyword')).toBe(isColoured)
  })

  it('a listing is coloured up to 20,000 characters, and its characters are kept', () => {
    for (const [length, isColoured] of [
      [20_000, true],
      [20_001, false],
    ] as const) {
      const code = 'let '.repeat(6000).slice(0, length)
      const tokens = tokensOf(code, 'ts')
      expect(tokens.some(({ kind }) => kind === 'keyword')).toBe(isColoured)
      expect(tokens.map(({ text: part }) => part).join('')).toBe(code)
    }
  })

  it.each([239, 240, 241, 5000])('an argument of %i characters is one line of at most 240', (length) => {
    expect(argumentOf(tool(1, 'Bash', { input: { command: 'x'.repeat(length) } }))).toHaveLength(Math.min(240, length))
    const data = htmlOf(eventOf([{ type: 'data', name: 'd', data: 'x'.repeat(length - 2), ...at(1, 0) }]))
    expect(/x+/.exec(wordsOf(data).replace('d "', ''))?.[0].length).toBe(Math.min(239, length - 2))
  })

  it('the title of a citation has at most 200 characters', () => {
    const html = htmlOf(
      eventOf([{ ...text(1, 'Cited.'), citations: [{ title: 'x'.repeat(201) }, { title: 'y'.repeat(200) }] }]),
    )
    expect([/x+/, /y+/].map((run) => run.exec(wordsOf(html))?.[0].length)).toEqual([200, 200])
  })
})

describe('what draws nothing', () => {
  it.each([
    ['a definition', 'One.\n\n[x]: https://a.example\n\nTwo.', 2],
    ['a footnote', 'One[^n].\n\n[^n]: A note.\n\nTwo.', 3],
    ['a mark that is still being written', 'One.\n\n- ', 1],
    ['blank lines', 'One.\n\n\n\n', 1],
  ])('%s has no box', (_what, source, boxes) => {
    expect(countOf(htmlOf(eventOf([text(1, source, 'live')], { state: 'live' })), 'class="mr-md"')).toBe(boxes)
  })
})
