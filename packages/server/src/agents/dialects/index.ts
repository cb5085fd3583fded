import { acp } from './acp.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import type { Dialect } from './dialect.ts'
import { lines } from './lines.ts'
import { text } from './text.ts'

/** The ways to speak with a program. */
export const dialects = { lines, text, claude, codex, acp } satisfies { readonly [name: string]: Dialect }

export type DialectName = keyof typeof dialects
