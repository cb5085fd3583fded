import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tool } from '../../test/segments.ts'
import { besidesChanges, type ChangedLine, changesOf } from './changes.ts'

const shown = (lines: readonly ChangedLine[] | undefined) => lines?.map(({ sign, text }) => `${sign}${text}`)
const linesWith = (lines: readonly ChangedLine[], ...signs: readonly ChangedLine['sign'][]) =>
  lines.filter(({ sign }) => signs.includes(sign)).map(({ text }) => text)
const edit = (before: string, after: string) =>
  changesOf(tool(1, 'Edit', { input: { old_string: before, new_string: after } }))

/** Whether `part` stands in `whole` somewhere; what is before and after it. */
function around(whole: readonly string[], part: readonly string[], start: number) {
  expect(whole.slice(start, start + part.length)).toEqual(part)
  return [whole.slice(0, start), whole.slice(start + part.length)]
}

describe('the changes of an edit', () => {
  it('are all of them: what is not shown is the same before and after', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', 'c'), { minLength: 1, maxLength: 9 })
    holds(
      fc.property(text, text, (before, after) => {
        const lines = edit(before.join('\n'), after.join('\n')) ?? []
        const [old, now] = [linesWith(lines, ' ', '-'), linesWith(lines, ' ', '+')]
        const common = before.findIndex((line, index) => line !== after[index])
        const start = Math.max(
          0,
          (common === -1 ? Math.min(before.length, after.length) : Math.min(common, after.length)) - 2,
        )
        expect(around(before, old, start)).toEqual(around(after, now, start))
      }),
      500,
    )
  })

  it('keep two lines above and below', () => {
    expect(shown(edit('1\n2\n3\nx\n4\n5\n6', '1\n2\n3\ny\nz\n4\n5\n6'))).toEqual([
      ' 2',
      ' 3',
      '-x',
      '+y',
      '+z',
      ' 4',
      ' 5',
    ])
    expect(shown(edit('a\na', 'a\na\na'))).toEqual([' a', ' a', '+a'])
    expect(shown(edit('a', ''))).toEqual(['-a', '+'])
  })

  it('are those of every edit in order', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_str: 'c', new_str: 'd' },
    ]
    expect(shown(changesOf(tool(1, 'MultiEdit', { input: { edits } })))).toEqual(['-a', '+b', '-c', '+d'])
    expect(changesOf(tool(1, 'Read', { input: { edits } }))).toBeUndefined()
    expect(changesOf(tool(1, 'Edit', { input: { path: 'a' } }))).toBeUndefined()
  })
})

describe('the changes of a patch', () => {
  const patch = [
    'diff --git a/x.sql b/x.sql',
    '--- a/x.sql',
    '+++ b/x.sql',
    '@@ -1,3 +1,3 @@',
    ' select 1',
    '--- an old comment',
    '+++ not a file',
    '\\ No newline at end of file',
    '--- a/y.sql',
    '+++ b/y.sql',
    '@@ -1 +1 @@',
    '-x',
    '+y',
  ]
  it.each(['patch', 'diff'])('in the field %s keep every line; only names of files are no changes', (field) => {
    const lines = changesOf(tool(1, 'apply_patch', { input: { [field]: `${patch.join('\n')}\n` } })) ?? []
    expect(linesWith(lines, '-')).toEqual(['-- an old comment', 'x'])
    expect(linesWith(lines, '+')).toEqual(['++ not a file', 'y'])
    expect(lines).toHaveLength(patch.length)
    expect(linesWith(lines, ' ')).toContain('--- a/y.sql')
  })
})

describe('what an edit asks for besides its changes', () => {
  it.each([
    ['the file', { path: 'a', old_string: 'x', new_string: 'y' }, { path: 'a' }],
    ['nothing', { old_str: 'x', new_str: 'y' }, {}],
    ['an option', { old_string: 'x', new_string: 'y', replace_all: true }, { replace_all: true }],
    ['the file of a patch', { file: 'a', patch: '+x' }, { file: 'a' }],
    ['the other of two patches', { patch: '+x', diff: '-y' }, { diff: '-y' }],
    ['the file of edits', { path: 'a', edits: [{ old_str: 'x', new_str: 'y' }] }, { path: 'a' }],
    ['edits of another kind', { edits: [{ insert_line: 3 }] }, { edits: [{ insert_line: 3 }] }],
  ])('is %s', (_what, input, others) => {
    expect(besidesChanges(input)).toEqual(others)
  })
})
