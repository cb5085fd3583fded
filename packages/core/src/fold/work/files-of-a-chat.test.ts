import { describe, expect, it } from 'vitest'
import { call, chat } from '../../../test/calls.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Segment } from '../shapes.ts'
import type { FileState } from './file-state.ts'
import { filesOf } from './files.ts'

const text = (words: string): Segment => ({
  type: 'text',
  id: 't',
  text: words,
  state: 'done',
  startedAt: 1,
  seqs: [1, 1],
})

function fileOf(...segments: readonly Segment[]): FileState {
  const [file, ...others] = filesOf(chat(...segments))
  expect(others).toEqual([])
  return file as FileState
}

const nowOf = ({ now }: FileState) => (typeof now === 'object' ? now.text : now)

const lines = 'one\ntwo\nthree\n'
const read = (path = 'a.ts', output = lines) => call('Read', { file_path: path }, { output })

describe('what was read of a file', () => {
  const numbered = (form: (line: string, number: number) => string) =>
    'one\ntwo\n'
      .split('\n')
      .slice(0, -1)
      .map((line, index) => form(line, index + 1))
      .join('\n')
  it.each<[string, Json, JsonObject?]>([
    ['plain', 'one\ntwo'],
    ['numbered by arrows', numbered((line, number) => `     ${number}→${line}`)],
    ['numbered by tabs', numbered((line, number) => `${number}\t${line}`)],
    ['numbered by colons', numbered((line, number) => `${number}: ${line}`)],
    ['with a reminder for the model', 'one\ntwo\n\n<system-reminder>\nBe kind.\n</system-reminder>\n'],
    ['in a frame', '<file>\none\ntwo\n(End of file - total 2 lines)\n</file>'],
    ['below its range', '@@ lines 1-2 of 2 @@\none\ntwo'],
    ['as parts', [{ type: 'text', text: 'one\ntwo' }]],
    [
      'with its lines counted',
      { type: 'text_editor_view', content: 'one\ntwo', start_line: 1, num_lines: 2, total_lines: 2 },
    ],
  ])('is its text, %s', (_what, output) => {
    expect(nowOf(fileOf(call('Read', { file_path: 'a' }, { output })))?.replace(/\n$/, '')).toBe('one\ntwo')
  })

  it.each<[string, JsonObject, Json]>([
    ['a range that was asked for', { limit: 2 }, 'one\ntwo'],
    ['lines of more', {}, { content: 'one\ntwo', start_line: 1, num_lines: 2, total_lines: 9 }],
    ['a cut text', {}, 'one\ntwo\n[Showing lines 1-2 of 9]'],
    ['a picture', {}, [{ type: 'image', source: {} }]],
    ['an empty output', {}, ''],
  ])('is not known from %s', (_what, input, output) => {
    expect(nowOf(fileOf(call('Read', { file_path: 'a', ...input }, { output })))).toBeUndefined()
  })

  it('keeps numbers that belong to the text', () => {
    expect(nowOf(fileOf(read('a', '1\tx\n3\ty\n')))).toBe('1\tx\n3\ty\n')
  })
})

describe('the files of a chat', () => {
  it('are those of the calls that had ended by an entry, in the order of the ends', () => {
    const late = call('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'late' })
    const first = call('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'first' })
    const segments = [read(), { ...late, seqs: [late.seqs[0], 9_000] as const }, first]
    expect(nowOf(fileOf(...segments))).toBeUndefined()
    const upTo = { runId: 'run', seq: 8_999 }
    expect(filesOf(chat(...segments), { upTo }).map(nowOf)).toEqual(['one\nfirst\nthree\n'])
    expect(filesOf(chat(...segments), { upTo: { runId: 'run', seq: 1 } })).toEqual([])
  })

  it('name the subagent, and the step in which it was asked', () => {
    const inner = call('Write', { file_path: 'a', content: 'x\n' })
    const helper: Segment = {
      type: 'subagent',
      agentId: 'h',
      name: 'helper',
      state: 'done',
      segments: [inner],
      startedAt: 1,
      seqs: [1, 9_000],
    }
    expect(fileOf(call('Bash', { command: 'ls' }), text('Ask.'), helper).versions[0]).toMatchObject({
      agentName: 'helper',
      step: 2,
    })
  })

  it('are the same objects until a call adds to them: a snapshot costs what changed', () => {
    const [one, other] = [read('a.ts'), read('b.ts')]
    const edit = call('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'TWO' })
    const before = filesOf(chat(one, other))
    const after = filesOf(chat(one, other, edit))
    expect(after[1]).toBe(before[1])
    expect(after[0]?.base).toBe(before[0]?.base)
    expect(filesOf(chat(one, other, edit))[0]).toBe(after[0])
  })
})
