import type { Loss } from '@millrace/core/losses'
import type { Talk } from './talk.ts'
import type { Counts } from './tally.ts'
import type { Target } from './targets.ts'

/** What is told after a conversion. */
export interface Summary {
  readonly format: string
  /** How the format was told, where it was not given. */
  readonly reason: string | undefined
  readonly to: string
  readonly target: Target
  readonly records: number
  readonly counts: Counts
  /** Whether the losses were asked for. */
  readonly report: boolean
}

export function tellSummary(summary: Summary, talk: Talk): void {
  const { counts, records, format, reason, to, target, report } = summary
  const { losses, ...counted } = counts
  if (talk.json && (report || !talk.quiet)) {
    talk.object({ format, target: to, records, ...counted, ...(report && { losses }) })
  }
  if (reason !== undefined) talk.detail(`Recognised as ${format}: ${reason}.`)
  talk.detail(`${plural(records, 'record')} became ${plural(counts.events, 'event')}; outcome: ${counts.outcome}.`)
  const bad = badRecords(counts)
  if (bad !== undefined) talk.note(`${talk.paint('yellow', 'millrace:')} ${bad}${fateOfRaw(to, target)}`)
  if (report) for (const line of reportLines(to, losses, talk)) talk.answer(line)
}

/** `2 records could not be parsed and 1 record was not understood`, or nothing where all were. */
function badRecords({ unparsable, unmapped }: Counts): string | undefined {
  const parts = [
    unparsable > 0 && `${plural(unparsable, 'record')} could not be parsed`,
    unmapped > 0 && `${plural(unmapped, 'record')} ${unmapped === 1 ? 'was' : 'were'} not understood`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(' and ')
}

function fateOfRaw(to: string, target: Target): string {
  return target.losses.raw === undefined ? '; kept as raw.' : `; ${to} has no place for raw events.`
}

function reportLines(to: string, losses: readonly Loss[], { paint, columns }: Talk): string[] {
  if (losses.length === 0) return [paint('green', `${to} carries all that this run holds.`)]
  const counts = losses.map(({ count }) => `${count.toLocaleString('en')} ×`)
  const nameWidth = Math.max(...losses.map(({ feature }) => feature.length))
  const countWidth = Math.max(...counts.map((count) => count.length))
  const indent = ' '.repeat(2 + nameWidth + 2 + countWidth + 2)
  return [
    `${paint('bold', to)} cannot carry all that this run holds:`,
    ...losses.map(({ feature, reason }, index) => {
      const name = `${paint('yellow', feature)}${' '.repeat(nameWidth - feature.length)}`
      const lines = wrapped(reason, columns - indent.length)
      return `  ${name}  ${counts[index]?.padStart(countWidth)}  ${lines.join(`\n${indent}`)}`
    }),
  ]
}

/** Below this a column is no place for words. */
const NARROWEST = 24

function wrapped(text: string, width: number): readonly string[] {
  if (width < NARROWEST) return [text]
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
