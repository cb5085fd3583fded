import type { Framing } from '@millrace/core/source'
import type { DialectName } from './dialects/index.ts'
import type { SandboxName } from './launchers.ts'
import type { ProcessLimits } from './limits.ts'

/** How far a program may go without asking. Only a file says so, never a request. */
export type Permissions = 'read' | 'ask' | 'edits' | 'all'

/** A program that is an agent: what is started, how it is spoken to, and how far it may go. */
export interface ProcessSpec {
  readonly name: string
  readonly title: string
  readonly description?: string
  /** The file and its arguments. A file without a slash is looked up. */
  readonly command: readonly string[]
  readonly dialect: DialectName
  /** The parser of the stream; default: that of the dialect. */
  readonly format?: string
  /** Default: `json-lines`. */
  readonly framing?: Framing
  readonly sandbox: SandboxName
  readonly permissions: Permissions
  /** Variables that are passed on, by name; a name may end in `*`. */
  readonly env: readonly string[]
  /** Those of them without which it may not work: the ones that a file names one by one. */
  readonly needs?: readonly string[]
  /** Variables that are set. */
  readonly set: { readonly [name: string]: string }
  readonly cwd: string
  readonly limits: ProcessLimits
  readonly model?: string
  readonly instructions?: string
  /** What to type if the program is missing. */
  readonly install?: string
  /** What to type if nobody is logged in. */
  readonly login?: string
  /** The method of `authenticate` in ACP, if the agent wants one. */
  readonly authenticate?: string
  /** In ACP: what goes before the id of a session that is loaded. */
  readonly loadPrefix?: string
}
