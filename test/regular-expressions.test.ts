import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Expressions that never see a long text, with the reason. */
const SHORT: { readonly [expression: string]: string } = {
  '/\\B(?=(?:\\d{3})+$)/g': 'the digits of one number',
}

interface Found {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

function expressionsIn(file: string): readonly Found[] {
  const found: Found[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } }
    if (regex !== undefined) found.push({ file, ...regex })
    else for (const child of Object.values(node)) walk(child)
  }
  const text = readFileSync(join(root, file), 'utf8')
  walk(parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program)
  return found
}

const all = globSync(['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^packages\/testkit\//.test(file))
  .flatMap(expressionsIn)

/** What is repeated: characters that agents write, besides those of the expression itself. */
const REPEATED = [...'\n \ta0_-`~*><[](){}"\'\\/.,;:#|+=!\0\u0301', '\r\n', 'a ', 'a\n', '- ']

/** The words and characters of an expression: what a hostile text must begin with to reach its middle. */
function wordsOf(pattern: string): readonly string[] {
  const plain = pattern.replaceAll(/\\[nrtsSwWdDbB]/g, ' ').replaceAll(/\\(.)/g, '$1')
  return [...new Set(plain.match(/[A-Za-z_]+[: ]?|[^A-Za-z\s]/g))].slice(0, 24)
}

/** The path through an expression up to its first choice, as a text that it accepts, roughly. */
function beginningOf(pattern: string): string {
  return pattern
    .replace(/^\^/, '')
    .replace(/\(.*|\[.*|\\[swSWd].*|\..*/s, '')
    .replaceAll('\\', '')
}

function* attacksOn(pattern: string): Generator<(size: number) => string> {
  const words = wordsOf(pattern)
  const beginnings = new Set(['', beginningOf(pattern), words.slice(0, 2).join(''), ...words, '```', '```\n', '\n'])
  const repeated = new Set([...REPEATED, ...words, ...words.map((word) => `${word} `)])
  for (const beginning of beginnings) {
    for (const one of repeated) {
      for (const ending of ['', '\0x', '`'])
        yield (size) => beginning + one.repeat(Math.ceil(size / one.length)) + ending
    }
  }
}

const SMALL = 500
/** Twelve times the time for four times the text is more than linear; a quadratic expression takes sixteen times. */
const RATIO = 12
/** In milliseconds. Below this the clock is not exact; a quadratic expression takes longer even for so small a text. */
const AUDIBLE = 1

/** The time that this process has used, in ms: the clock also counts what a busy machine does meanwhile. */
function timeUsed(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function timeOf(expression: RegExp, text: string): number {
  const start = timeUsed()
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
  expression.lastIndex = 0
  return timeUsed() - start
}

/** A text on which the expression is slower than linear at two sizes, measured again so that a pause does not count. */
function slowTextOf({ pattern, flags }: Found): string | undefined {
  const expression = new RegExp(pattern, flags)
  const best = (text: string) => Math.min(...Array.from({ length: 5 }, () => timeOf(expression, text)))
  for (const attack of attacksOn(pattern)) {
    if (timeOf(expression, attack(8 * SMALL)) < AUDIBLE) continue
    const [small, large] = [best(attack(2 * SMALL)), best(attack(8 * SMALL))]
    if (large >= AUDIBLE && large > small * RATIO) return JSON.stringify(attack(20))
  }
  return undefined
}

describe('regular expressions', () => {
  it('are found', () => {
    expect(all.length).toBeGreaterThan(100)
  })

  it('take linear time on any text', { timeout: 120_000 }, () => {
    const slow = all
      .filter(({ pattern, flags }) => !Object.hasOwn(SHORT, `/${pattern}/${flags}`))
      .flatMap((found) => {
        const text = slowTextOf(found)
        return text === undefined ? [] : [`${found.file} /${found.pattern}/${found.flags} on ${text}`]
      })
    expect(slow).toEqual([])
  })
})
