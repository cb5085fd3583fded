import type { Command, FileState } from '@millrace/core/work'
import { describe, expect, it } from 'vitest'
import { countsOfFile, type FileTree, treeOf } from './file-tree.ts'
import { subjectOf } from './subject.ts'

const author = (step: number, seq: number, callId: string) => ({ runId: 'run', seq, step, callId, toolName: 'Edit' })

function fileOf(path: string, status: FileState['status'], fields: Partial<FileState> = {}): FileState {
  return { path, status, base: undefined, now: undefined, blame: [], versions: [], last: author(1, 1, 'c1'), ...fields }
}

const namesIn = (folders: FileTree['changed']) =>
  folders.map(({ path, files }) => `${path}: ${files.map(({ name }) => name).join(' ')}`)

describe('the tree of files', () => {
  it('divides what was changed from what was read, by folder, below the folder that all share', () => {
    const tree = treeOf([
      fileOf('/mill/src/b.ts', 'modified'),
      fileOf('/mill/README.md', 'added'),
      fileOf('/mill/src/a.ts', 'deleted'),
      fileOf('/mill/deploy/gate.conf', 'read'),
    ])
    expect(namesIn(tree.changed)).toEqual(['src: a.ts b.ts', ': README.md'])
    expect(namesIn(tree.read)).toEqual(['deploy: gate.conf'])
  })

  it('keeps the last folder of a single file, and whole paths of files that share none', () => {
    expect(namesIn(treeOf([fileOf('/mill/src/a.ts', 'added')]).changed)).toEqual(['src: a.ts'])
    const apart = treeOf([fileOf('/one/a.ts', 'added'), fileOf('/two/b.ts', 'added'), fileOf('c.ts', 'added')])
    expect(namesIn(apart.changed)).toEqual(['/one: a.ts', '/two: b.ts', ': c.ts'])
  })

  it('counts what the run changed in all, not every change on the way to it', () => {
    const versions = [1, 2].map((step) => ({
      ...author(step, step, 'c1'),
      shows: 'text' as const,
      hunks: [],
      counts: { added: 1, removed: 1 },
    }))
    const file = fileOf('a.ts', 'modified', { base: { text: 'one\n' }, now: { text: 'three\n' }, blame: [2], versions })
    expect(countsOfFile(file)).toEqual({ added: 1, removed: 1 })
    expect(treeOf([file, fileOf('b.ts', 'read')])).toMatchObject({ added: 1, removed: 1 })
    const opaque = fileOf('c.ts', 'modified', { versions: versions.map((each) => ({ ...each, shows: 'nothing' })) })
    expect(countsOfFile(opaque)).toEqual({ added: 2, removed: 2 })
  })
})

describe('the subject of the editor', () => {
  const tree = treeOf([
    fileOf('old.ts', 'modified', { last: author(1, 4, 'c1') }),
    fileOf('new.ts', 'modified', { last: author(2, 3, 'c2') }),
    fileOf('read.ts', 'read', { last: author(3, 9, 'c3') }),
  ])
  const cells = [{ callId: 'cell', text: 'print()' } as Command]
  const subject = (file: string | undefined, callId: string | undefined) => {
    const found = subjectOf(tree, cells, { file, callId })
    return found?.kind === 'file' ? found.path : found?.number
  }

  it('is the opened file, else that of the call, else the newest change', () => {
    expect(subject('old.ts', 'c2')).toBe('old.ts')
    expect([subject(undefined, 'c1'), subject(undefined, 'c3')]).toEqual(['old.ts', 'read.ts'])
    expect([subject(undefined, 'other'), subject('gone.ts', undefined)]).toEqual(['new.ts', 'new.ts'])
  })

  it('is the code of a cell that the panes stand at, unless a file was opened', () => {
    expect([subject(undefined, 'cell'), subject('old.ts', 'cell')]).toEqual([1, 'old.ts'])
    expect(subjectOf(treeOf([]), [], { file: undefined, callId: undefined })).toBeUndefined()
  })
})
