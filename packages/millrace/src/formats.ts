import { aliases, getParser, parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { usageError } from './exit.ts'

/** The name that stands for detection. */
export const AUTO = 'auto'

export const formatNames: readonly string[] = Object.keys(parsers)
export const aliasNames: readonly string[] = Object.keys(aliases)

/** One line for a person who needs to know what to put after `--from`. */
export const formatHint = `Formats: ${[...formatNames, ...aliasNames].join(', ')}.`

/** The framework of a name or an alias; nothing for `auto`. Throws a usage error for a name that is not there. */
export function frameworkNamed(name: string): Parser | undefined {
  if (name === AUTO) return undefined
  if (!formatNames.includes(name) && !aliasNames.includes(name)) {
    throw usageError(`There is no format "${name}" in this version.`, formatHint)
  }
  return getParser(name)
}
