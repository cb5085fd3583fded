import { type DiffRow, diffRowsOf, type FileState, shownPath } from '@millrace/core/work'

/** A file in the tree of the code pane. */
export interface TreeFile {
  readonly file: FileState
  /** As a person reads it. */
  readonly path: string
  readonly name: string
}

interface TreeFolder {
  /** Empty: files that are in no folder. */
  readonly path: string
  readonly files: readonly TreeFile[]
}

export interface FileTree {
  readonly changed: readonly TreeFolder[]
  readonly read: readonly TreeFolder[]
  /** All lines that were added and removed, as far as they are known. */
  readonly added: number
  readonly removed: number
}

export function treeOf(files: readonly FileState[]): FileTree {
  const root = commonFolder(files.map(({ path }) => path))
  const shown = files.map((file): TreeFile => {
    const path = shownPath(file.path, root)
    return { file, path, name: path.slice(path.lastIndexOf('/') + 1) }
  })
  const changed = shown.filter(({ file }) => file.status !== 'read')
  const counts = changed.map(({ file }) => countsOfFile(file))
  return {
    changed: foldersOf(changed),
    read: foldersOf(shown.filter(({ file }) => file.status === 'read')),
    added: counts.reduce((sum, { added }) => sum + added, 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
  }
}

/** What the run added to a file and removed from it; of a change that nothing describes, what its call says of it. */
export function countsOfFile(file: FileState): LineCounts {
  const rows = diffRowsOf(file)
  if (rows.length > 0) return { added: countOf(rows, '+'), removed: countOf(rows, '-') }
  const sum = (side: keyof LineCounts) => file.versions.reduce((all, { counts }) => all + (counts?.[side] ?? 0), 0)
  return { added: sum('added'), removed: sum('removed') }
}

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

const countOf = (rows: readonly DiffRow[], sign: DiffRow['sign']) =>
  rows.reduce((count, row) => count + Number(row.sign === sign), 0)

export const filesIn = (folders: readonly TreeFolder[]): readonly TreeFile[] => folders.flatMap(({ files }) => files)

function foldersOf(files: readonly TreeFile[]): readonly TreeFolder[] {
  const byFolder = new Map<string, TreeFile[]>()
  for (const each of files) {
    const folder = each.path.slice(0, Math.max(0, each.path.lastIndexOf('/')))
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), each])
  }
  // Files without a folder come last.
  return [...byFolder]
    .map(([path, inside]) => ({ path, files: inside.sort((one, other) => compare(one.name, other.name)) }))
    .sort((one, other) => Number(one.path === '') - Number(other.path === '') || compare(one.path, other.path))
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The folder that holds all files with whole paths; undefined if it is that of the disk, or there are none. */
function commonFolder(paths: readonly string[]): string | undefined {
  const whole = paths.filter((path) => path.startsWith('/')).map((path) => path.split('/').slice(0, -1))
  const [first, ...others] = whole
  if (first === undefined) return undefined
  const length = others.reduce((shared, other) => {
    const end = first.findIndex((part, index) => index >= shared || part !== other[index])
    return end === -1 ? shared : Math.min(shared, end)
  }, first.length)
  // The last folder of a path is worth showing unless several files are beside each other in it.
  const isAlone = others.length === 0
  const common = first.slice(0, isAlone ? length - 1 : length)
  return common.length > 1 ? common.join('/') : undefined
}
