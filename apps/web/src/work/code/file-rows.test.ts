import type { FileState, FileVersion } from '@millrace/core/work'
import { describe, expect, it } from 'vitest'
import { type EditorRow, editorRowsOf } from './file-rows.ts'

const version: FileVersion = { runId: 'run', seq: 9, step: 2, callId: 'c', toolName: 'Edit', shows: 'text', hunks: [] }
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n')

/** A file in which a step replaced line 12 of 30, and another added one below line 13. */
const file: FileState = {
  path: '/mill/gate.ts',
  status: 'modified',
  base: { text: lines(1, 30) },
  now: { text: `${lines(1, 11)}\nnew 12\n${lines(13, 13)}\nnew 14\n${lines(14, 30)}` },
  blame: Array.from({ length: 31 }, (_, index) => ({ 11: 2, 13: 3 })[index] ?? 0),
  versions: [version],
  last: version,
}

const NONE: ReadonlySet<number> = new Set()

function wordsOf(row: EditorRow): string {
  if (row.kind === 'gap') return `${row.gap.to - row.gap.from} ${row.position}`
  if (row.kind === 'pair') return `${row.left?.text ?? ''} | ${row.right?.text ?? ''}${row.startsBlock ? ' *' : ''}`
  return `${row.row.sign} ${row.row.text}${row.startsBlock ? ` *${row.row.step}` : ''}`
}

describe('the rows of the editor', () => {
  it('are the changes and three lines around them; what is left out is counted, and opens', () => {
    const rows = editorRowsOf(file, 'diff', NONE)
    expect(rows.map(wordsOf)).toEqual([
      '8 above',
      '  line 9',
      '  line 10',
      '  line 11',
      '- line 12',
      '+ new 12 *2',
      '  line 13',
      '+ new 14 *3',
      '  line 14',
      '  line 15',
      '  line 16',
      '14 below',
    ])
    expect(
      editorRowsOf(file, 'diff', new Set([0]))
        .map(wordsOf)
        .slice(0, 2),
    ).toEqual(['  line 1', '  line 2'])
    expect(editorRowsOf(file, 'diff', new Set([0, 18]))).toHaveLength(32)
  })

  it('side by side hold each line of both texts once, what was exchanged in one row', () => {
    const pairs = editorRowsOf(file, 'split', new Set([0, 18]))
    const side = (name: 'left' | 'right') =>
      pairs.flatMap((row) => (row.kind === 'pair' ? (row[name]?.text ?? []) : []))
    expect(side('left').join('\n')).toBe(lines(1, 30))
    expect(side('right').join('\n')).toBe((file.now as { text: string }).text)
    expect(pairs.map(wordsOf)).toContain('line 12 | new 12 *')
    expect(pairs.map(wordsOf)).toContain(' | new 14 *')
  })

  it('of the text number each line, and name a step once for adjacent lines', () => {
    const written = { ...file, now: { text: 'a\nb\nc\nd' }, blame: [0, 2, 2, 3] }
    const rows = editorRowsOf(written, 'code', NONE)
    expect(rows.map(wordsOf)).toEqual(['  a', '  b *2', '  c', '  d *3'])
    expect(rows.map((row) => row.kind === 'line' && row.row.after)).toEqual([1, 2, 3, 4])
    expect(editorRowsOf({ ...file, now: undefined, blame: [] }, 'code', NONE)).toEqual([])
  })

  it('of parts whose place is not known begin each part with a head', () => {
    const hunk = (text: string) => ({
      lines: [
        { sign: '-' as const, text },
        { sign: '+' as const, text: `new ${text}` },
      ],
    })
    const parts: FileState = {
      ...file,
      base: undefined,
      now: undefined,
      blame: [],
      versions: [{ ...version, shows: 'hunks', hunks: [hunk('one'), hunk('two')] }],
    }
    const expected = ['0 unknown', '- one', '+ new one *2', '0 unknown', '- two', '+ new two *2']
    expect(editorRowsOf(parts, 'diff', NONE).map(wordsOf)).toEqual(expected)
  })

  it('name the function in which a change stands', () => {
    const base = `function gate() {\n${lines(1, 9)}\n}`
    const changed = { ...file, base: { text: base }, now: { text: base.replace('line 8', 'new 8') }, blame: [] }
    const [head] = editorRowsOf(changed, 'diff', NONE)
    expect(head).toMatchObject({ kind: 'gap', position: 'above', symbol: 'gate' })
  })
})
