import { describe, expect, it } from 'vitest'
import { call, chat, claude } from '../../../test/calls.ts'
import type { Json } from '../../json.ts'
import type { Segment, ToolSegment } from '../shapes.ts'
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
const notesOf = ({ versions }: FileState) => versions.map(({ note }) => note)
const countsIn = ({ versions }: FileState) =>
  versions.map(({ counts }) => counts && `+${counts.added} -${counts.removed}`)

const lines = 'one\ntwo\nthree\n'
const read = (path = 'a.ts', output = lines) => call('Read', { file_path: path }, { output })

describe('the state of a file', () => {
  it('is what was read, with every edit in its order', () => {
    const file = fileOf(
      read(),
      text('Now I change it.'),
      call('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'TWO\nand' }),
      text('Once more.'),
      call('edit', { filePath: 'a.ts', oldString: 'three', newString: 'THREE' }),
    )
    expect(nowOf(file)).toBe('one\nTWO\nand\nTHREE\n')
    expect([file.status, file.blame, countsIn(file)]).toEqual(['modified', [0, 2, 2, 3], ['+2 -1', '+1 -1']])
    expect(file.base).toEqual({ text: lines })
  })

  it.each<[string, Json]>([
    ['a text and its replacement', { path: 'a.ts', old_str: 'two', new_str: 'TWO' }],
    ['edits in a list', { path: 'a.ts', edits: [{ oldText: 'two', newText: 'TWO' }] }],
    ['a unified diff', { path: 'a.ts', diff: '@@ -2,1 +2,1 @@\n-two\n+TWO\n' }],
    ['hunks without numbers', { path: 'a.ts', patch: '@@\n one\n-two\n+TWO\n' }],
    ['a patch that names its file', '*** Begin Patch\n*** Update File: a.ts\n@@ one\n-two\n+TWO\n*** End Patch'],
    ['an operation', { operation: { type: 'update_file', path: 'a.ts', diff: '@@\n-two\n+TWO\n' } }],
    [
      'a list of changes',
      { changes: [{ path: 'a.ts', kind: { type: 'update' }, diff: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO' }] },
    ],
  ])('follows an edit by %s', (_what, input) => {
    expect(nowOf(fileOf(read(), call('edit_file', input)))).toBe('one\nTWO\nthree\n')
  })

  it('follows an insertion after a line, and a replacement everywhere', () => {
    const insert = call('str_replace_editor', { command: 'insert', path: 'a.ts', insert_line: 1, new_str: 'x' })
    expect(nowOf(fileOf(read(), insert))).toBe('one\nx\ntwo\nthree\n')
    const all = call('Edit', { file_path: 'a.ts', old_string: 'o', new_string: '0', replace_all: true })
    expect(nowOf(fileOf(read(), all))).toBe('0ne\ntw0\nthree\n')
  })

  it('takes a replacement literally, and keeps the line ends of Windows', () => {
    const edit = call('Edit', { file_path: 'a.ts', old_string: 'one\ntwo', new_string: '$&\n$1' })
    expect(nowOf(fileOf(read('a.ts', 'one\r\ntwo\r\n'), edit))).toBe('$&\r\n$1\r\n')
  })

  it('is unknown after an edit that does not apply, and keeps what the edit says', () => {
    const twice = call('Edit', { file_path: 'a.ts', old_string: 'e\n', new_string: 'E\n' })
    const file = fileOf(read(), twice)
    expect([nowOf(file), notesOf(file), file.versions[0]?.hunks.length]).toEqual([undefined, ['changed outside'], 1])
    const unseen = fileOf(call('Edit', { file_path: 'b.ts', old_string: 'x', new_string: 'y' }))
    expect([nowOf(unseen), notesOf(unseen), countsIn(unseen)]).toEqual([undefined, ['base unknown'], ['+1 -1']])
    expect(nowOf(fileOf(read(), twice, read('a.ts', 'whole\n')))).toBe('whole\n')
  })

  it('is what the result says, though the input says otherwise', () => {
    const edit = call(
      'Edit',
      { file_path: 'a.ts', old_string: 'two', new_string: 'other' },
      claude({
        filePath: 'a.ts',
        originalFile: lines,
        userModified: true,
        structuredPatch: [{ oldStart: 2, oldLines: 1, newStart: 2, newLines: 1, lines: ['-two', '+by a person'] }],
      }),
    )
    expect(nowOf(fileOf(edit))).toBe('one\nby a person\nthree\n')
    const gemini: Json = { originalContent: 'a\n', newContent: 'b\n', isNewFile: false }
    const replaced = call('replace', { file_path: 'a', old_string: 'a', new_string: 'c' }, { output: gemini })
    expect([nowOf(fileOf(replaced)), countsIn(fileOf(replaced))]).toEqual(['b\n', ['+1 -1']])
  })

  it('shows lines that changed outside of the run as nobody’s', () => {
    const edit = call('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'TWO' })
    const file = fileOf(read(), edit, read('a.ts', 'one\nTWO\nthree\nfour\n'))
    expect([file.blame, file.versions.length]).toEqual([[0, 1, 0, 0], 1])
  })

  it.each<[string, FileState['status'], readonly ToolSegment[]]>([
    [
      'created',
      'added',
      [
        call(
          'Write',
          { file_path: 'a', content: 'x\n' },
          claude({ type: 'create', content: 'x\n', originalFile: null }),
        ),
      ],
    ],
    ['created by an edit of nothing', 'added', [call('Edit', { file_path: 'a', old_string: '', new_string: 'x\n' })]],
    ['created by a patch', 'added', [call('apply_patch', '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch')]],
    [
      'created by a patch in a command',
      'added',
      [
        call('shell', {
          command: ['bash', '-lc', "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE"],
        }),
      ],
    ],
    [
      'created, then edited',
      'added',
      [
        call('file_change', { changes: [{ path: 'a', kind: 'add', diff: 'x\n' }] }),
        call('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
      ],
    ],
    ['written over', 'modified', [read('a'), call('Write', { file_path: 'a', content: 'x\n' })]],
    ['written, unseen', 'written', [call('Write', { file_path: 'a', content: 'x\n' })]],
    [
      'written, unseen, then edited',
      'written',
      [
        call('Write', { file_path: 'a', content: 'x\n' }),
        call('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
      ],
    ],
    ['written with the same text', 'read', [read('a'), call('Write', { file_path: 'a', content: lines })]],
    ['deleted', 'deleted', [read('a'), call('delete_file', { path: 'a' })]],
    ['changed in some way', 'modified', [call('file_change', { changes: [{ path: 'a', kind: 'update' }] })]],
    ['only read', 'read', [read('a')]],
  ])('has the status of a file that was %s', (_what, status, calls) => {
    expect(fileOf(...calls).status).toBe(status)
  })

  it('is one file before and after a move, with its lines', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b/c.ts\n@@\n-two\n+TWO\n*** End Patch'
    const file = fileOf(read(), call('apply_patch', { input: patch }))
    expect([file.path, file.movedFrom, file.status, nowOf(file)]).toEqual([
      'b/c.ts',
      'a.ts',
      'moved',
      'one\nTWO\nthree\n',
    ])
  })

  it('is the same file by every spelling of its path', () => {
    const edit = call('Edit', { file_path: '/srv/./app/x/../a.ts', old_string: 'two', new_string: 'TWO' })
    const [file, ...others] = filesOf(chat(read('/srv/app/a.ts'), edit, read('a.ts', 'one\nTWO\nthree\n')), {
      folder: '/srv/app',
    })
    expect([others, file?.blame]).toEqual([[], [0, 1, 0]])
  })
})

describe('calls that change nothing', () => {
  it.each<[string, Partial<ToolSegment>]>([
    ['failed', { state: 'failed' }],
    ['was denied', { state: 'denied' }],
    ['was stopped', { state: 'cancelled' }],
    ['only staged it', claude({ staged: true })],
  ])('are those of an edit that %s', (_what, more) => {
    const edit = call('Write', { file_path: 'a.ts', content: 'x' }, more)
    expect(fileOf(read(), edit).versions).toEqual([])
  })

  it('are a try, a call without an end, and a command', () => {
    const { endedAt: _none, ...open } = call('Write', { file_path: 'c', content: 'x' }, { state: 'running' })
    const tried = call('Edit', { file_path: 'b', old_string: '', new_string: 'x', dryRun: true })
    expect(filesOf(chat(tried, open, call('Bash', { command: 'echo x > d' })))).toEqual([])
  })
})
