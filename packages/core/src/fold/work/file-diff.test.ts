import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffRow, diffRowsOf, gapsOf, symbolAt } from './file-diff.ts'
import type { FileState, FileVersion } from './file-state.ts'

const version: FileVersion = { runId: 'run', seq: 1, step: 3, callId: 'c', toolName: 'Edit', shows: 'text', hunks: [] }

function file(base: string | undefined, now: string | undefined, more: Partial<FileState> = {}): FileState {
  const textOf = (text: string | undefined) => (text === undefined ? undefined : { text })
  const blame = (now ?? '').split('\n').map(() => 3)
  return {
    path: 'a.ts',
    status: 'modified',
    base: textOf(base),
    now: textOf(now),
    blame,
    versions: [version],
    last: version,
    ...more,
  }
}

const shown = (rows: readonly DiffRow[]) =>
  rows.map(({ sign, before, after, text }) => `${before ?? ''}|${after ?? ''}|${sign}${text}`)

describe('the diff of a file', () => {
  it('numbers the lines of both sides, and says who wrote the added ones', () => {
    const rows = diffRowsOf(file('a\nb\nc', 'a\nx\nc', { blame: [0, 4, 0] }))
    expect(shown(rows)).toEqual(['1|1| a', '2||-b', '|2|+x', '3|3| c'])
    expect(rows.map(({ step }) => step)).toEqual([undefined, undefined, 4, undefined])
  })

  it('marks what differs within a line that was exchanged, by whole words', () => {
    const rows = diffRowsOf(file("  set('connection', 'close')", "  set('buffering', 'closed')"))
    const marked = rows.map(({ text, mark: [from, to] = [0, 0] }) => text.slice(from, to))
    expect(marked).toEqual(["connection', 'close", "buffering', 'closed"])
    expect(diffRowsOf(file('alpha', 'omega')).every(({ mark }) => mark === undefined)).toBe(true)
  })

  it('of a file whose base is not known has its changes only, each as a part', () => {
    const hunks = [
      {
        start: 7,
        lines: [
          { sign: '-', text: 'a' },
          { sign: '+', text: 'b' },
        ] as const,
      },
    ]
    const rows = diffRowsOf(
      file(undefined, undefined, {
        versions: [
          { ...version, shows: 'hunks', hunks },
          { ...version, hunks },
        ],
      }),
    )
    expect(shown(rows)).toEqual(['7||-a', '||+b', '7||-a', '||+b'])
    expect(rows.map(({ startsPart }) => startsPart)).toEqual([true, undefined, true, undefined])
  })

  it('of a text that was written over an unseen one has all of it', () => {
    expect(shown(diffRowsOf(file(undefined, 'a\nb', { blame: [3, 0] })))).toEqual(['|1|+a', '|2| b'])
  })

  it('leaves out only lines that did not change, and no single one', () => {
    const signs = fc.array(fc.constantFrom<DiffRow['sign']>(' ', ' ', ' ', '+', '-'), { maxLength: 60 })
    holds(
      fc.property(signs, (list) => {
        const rows = list.map((sign): DiffRow => ({ sign, text: 'x' }))
        let last = -1
        for (const { from, to } of gapsOf(rows)) {
          expect(from).toBeGreaterThan(last)
          expect(to - from).toBeGreaterThan(1)
          const around = rows.slice(Math.max(0, from - 3), to + 3)
          expect(rows.slice(from, to).every(({ sign }) => sign === ' ')).toBe(true)
          expect(around.every(({ sign }) => sign === ' ')).toBe(true)
          last = to
        }
        const hidden = gapsOf(rows).reduce((sum, { from, to }) => sum + to - from, 0)
        const near = rows.filter((_, at) =>
          rows.slice(Math.max(0, at - 3), at + 4).some(({ sign }) => sign !== ' '),
        ).length
        if (near > 0) expect(rows.length - hidden).toBeLessThanOrEqual(near + gapsOf(rows).length + list.length / 7 + 1)
        else expect(hidden).toBe(0)
      }),
      300,
    )
  })

  it('names the function in which a line stands', () => {
    const rows = diffRowsOf(file('', 'export async function run() {\n  go()\n}\nclass Mill {\n'))
    expect([0, 1, 3].map((index) => symbolAt(rows, index))).toEqual(['run', 'run', 'Mill'])
  })
})
