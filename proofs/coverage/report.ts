import type { UnneededArm } from './unneeded.ts'

/** The committed report. It has no line numbers, which every change would move. */
export function reportOf(arms: readonly UnneededArm[]): string {
  const unexplained = arms.filter(({ reason }) => reason === undefined)
  return [
    '# Arms that no recording needs',
    '',
    'Written by `npm run coverage`. Every branch of a parser or a source must be needed by a recording in `fixtures/`, or',
    'by a damaged copy of one if it only refuses what is malformed. The others are here, each with its reason.',
    '',
    `${arms.length} arms; ${unexplained.length} without a reason.`,
    '',
    '| file | function | arm | reason |',
    '|---|---|---|---|',
    ...arms.map(rowOf),
    '',
  ].join('\n')
}

function rowOf({ file, functionName, text, reason = '**none**' }: UnneededArm): string {
  const arm = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return `| ${file.replace('packages/core/src/', '')} | ${functionName} | \`${arm.replace(/\|/g, '\\|').replace(/`/g, "'")}\` | ${reason} |`
}
