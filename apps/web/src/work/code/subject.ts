import type { Command, FileState } from '@millrace/core/work'
import { type FileTree, filesIn } from './file-tree.ts'

/** What the editor shows: a file, or a cell of code that was run. */
export type Subject =
  | { readonly kind: 'file'; readonly file: FileState; readonly path: string }
  | { readonly kind: 'cell'; readonly cell: Command; readonly number: number }

interface Standing {
  /** The file that was opened. */
  readonly file: string | undefined
  /** The call at which the panes stand. */
  readonly callId: string | undefined
}

/** The opened file, else what the call wrote, read or ran, else the newest change. */
export function subjectOf(tree: FileTree, cells: readonly Command[], { file, callId }: Standing): Subject | undefined {
  const changed = filesIn(tree.changed)
  const all = [...changed, ...filesIn(tree.read)]
  const cell = callId === undefined ? -1 : cells.findIndex((each) => each.callId === callId)
  const opened = file === undefined ? undefined : all.find((each) => each.file.path === file)
  if (opened === undefined && cell !== -1) return { kind: 'cell', cell: cells[cell] as Command, number: cell + 1 }
  const ofCall = callId === undefined ? [] : all.filter(({ file }) => isOfCall(file, callId))
  const found = opened ?? newest(ofCall) ?? newest(changed) ?? newest(all)
  if (found !== undefined) return { kind: 'file', file: found.file, path: found.path }
  const last = cells.at(-1)
  return last === undefined ? undefined : { kind: 'cell', cell: last, number: cells.length }
}

export const isOfCall = ({ versions, last }: FileState, callId: string): boolean =>
  last.callId === callId || versions.some((version) => version.callId === callId)

function newest<Each extends { readonly file: FileState }>(files: readonly Each[]): Each | undefined {
  return files.reduce<Each | undefined>(
    (best, each) => (best === undefined || isLater(each.file, best.file) ? each : best),
    undefined,
  )
}

/** Steps are counted over all runs, entries within one. */
const isLater = ({ last: one }: FileState, { last: other }: FileState) =>
  one.step > other.step || (one.step === other.step && one.seq > other.seq)
