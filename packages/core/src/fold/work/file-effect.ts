import type { LineCounts } from './line-diff.ts'
import type { Hunk } from './patches.ts'

/** What a file holds: a text, or nothing because it does not exist; undefined: no call shows it. */
export type FileText = { readonly text: string } | 'absent' | undefined

/** A text that is exchanged for another. */
export interface Replacement {
  readonly before: string
  readonly after: string
  readonly isEverywhere: boolean
}

/** What one call does to one file. */
export type FileEffect = {
  readonly path: string
  /** What the file held before, as the result of the call says. */
  readonly before?: FileText
  /** As the result of the call says. */
  readonly counts?: LineCounts
} & (
  | { readonly type: 'read'; readonly text: string | undefined }
  | { readonly type: 'write'; readonly text: string }
  | { readonly type: 'replace'; readonly replacements: readonly Replacement[] }
  | { readonly type: 'patch'; readonly hunks: readonly Hunk[] }
  | { readonly type: 'delete' }
  | { readonly type: 'move'; readonly to: string }
  /** It changed, and nothing says how. */
  | { readonly type: 'opaque'; readonly isNew: boolean }
)
