import { expect, it } from 'vitest'
import { LONGEST_LINE, languageOf, lineTokens } from './line-tokens.ts'

const textOf = (tokens: ReturnType<typeof lineTokens>) => tokens.map(({ text }) => text).join('')

it('keeps every character of a line, and marks exactly what differs', () => {
  const line = "  gate.setMode('by-level') // slow"
  for (let from = 0; from <= line.length; from++) {
    for (let to = from; to <= line.length; to += 5) {
      const tokens = lineTokens(line, 'ts', [from, to])
      expect(textOf(tokens)).toBe(line)
      expect(textOf(tokens.filter(({ isMarked }) => isMarked))).toBe(line.slice(from, to))
    }
  }
})

it('colours the inside of a long comment, not a bullet, a long line, or prose', () => {
  const kinds = (line: string, language: string) => lineTokens(line, language, undefined).map(({ kind }) => kind)
  expect(kinds(' * How far it lifts', 'ts')).toEqual(['comment'])
  expect(kinds('* one point', 'md')).toEqual(['plain'])
  expect(kinds(`const a = '${'b'.repeat(3_000)}'`, 'ts')).toEqual(['plain'])
})

it('cuts a line that a browser could not lay out', () => {
  expect(textOf(lineTokens('x'.repeat(LONGEST_LINE + 5), 'ts', undefined))).toHaveLength(LONGEST_LINE + 1)
})

it('finds the language at the end of a name', () => {
  expect(['a/b.TS', 'a.b/Makefile', '.env', 'x.test.py'].map(languageOf)).toEqual(['ts', '', 'env', 'py'])
})
