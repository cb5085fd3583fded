import type { Command } from '@millrace/core/work'
import { outputOf } from './terminal-text.ts'

const HEAD = 35
const LINE = 19
const BELOW = 10
const MORE = 28

/** More lines than these are folded to the last ones when the command is done. */
export const LAST_LINES = 12
/** More lines than these are cut to so many at both ends. */
const WHOLE_UP_TO = 200
const ENDS = 24

/** How high a block will be, until it is drawn: lines wrap at the given column. */
export function heightOfCommand(command: Command, columns: number): number {
  const text = outputOf(command).replace(/\n$/, '')
  if (text === '') return HEAD
  const lines = text.split('\n')
  const shown = shownLines(lines, isFolded(command))
  const rows = shown.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / columns)), 0)
  return HEAD + rows * LINE + BELOW + (shown.length < lines.length ? MORE : 0)
}

/** A command that is done shows the end of what it wrote; one that failed, or goes on, shows more. */
export const isFolded = ({ state }: Command): boolean => state === 'done'

function shownLines(lines: readonly string[], folds: boolean): readonly string[] {
  if (folds) return lines.slice(-LAST_LINES)
  return lines.length <= WHOLE_UP_TO ? lines : [...lines.slice(0, ENDS / 2), ...lines.slice(-ENDS / 2)]
}
