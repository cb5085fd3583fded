import type { Loss } from '@millrace/core/losses'
import type { Messages } from './messages.ts'
import type { Counts } from './tally.ts'
import type { Target } from './targets.ts'

/** What is reported after a conversion. */
export interface Summary {
  readonly format: string
  /** Why the format was detected; undefined if it was named. */
  readonly reason: string | undefined
  readonly to: string
  readonly target: Target
  readonly records: number
  readonly counts: Counts
  /** Whether the losses are reported. */
  readonly report: boolean
}

export function printSummary(summary: Summary, messages: Messages): void {
  const { counts, records, format, reason, to, target, report } = summary
  const { losses, ...counted } = counts
  if (messages.json && (report || !messages.quiet)) {
    messages.object({ format, target: to, records, ...counted, ...(report && { losses }) })
  }
  if (reason !== undefined) messages.detail(`Recognised as ${format}: ${reason}.`)
  messages.detail(`${plural(records, 'record')} became ${plural(counts.events, 'event')}; outcome: ${counts.outcome}.`)
  const bad = badRecords(counts)
  if (bad !== undefined) messages.note(`${messages.paint('yellow', 'millrace:')} ${bad}${fateOfRaw(to, target)}`)
  if (counts.filesLeftOut > 0) messages.note(`${messages.paint('yellow', 'millrace:')} ${leftOut(counts)}`)
  if (report) for (const line of reportLines(to, losses, messages)) messages.answer(line)
}

/** `2 records could not be parsed and 1 record was not understood`; undefined if all were. */
function badRecords({ unparsable, unmapped }: Counts): string | undefined {
  const parts = [
    unparsable > 0 && `${plural(unparsable, 'record')} could not be parsed`,
    unmapped > 0 && `${plural(unmapped, 'record')} ${unmapped === 1 ? 'was' : 'were'} not understood`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(' and ')
}

function leftOut({ filesLeftOut, bytesLeftOut }: Counts): string {
  const megabytes = Math.max(bytesLeftOut / 1e6, 0.1).toFixed(1)
  const [are, them] = filesLeftOut === 1 ? ['is', 'it'] : ['are', 'them']
  return `${plural(filesLeftOut, 'large file')} (${megabytes} MB) ${are} left out; a server would store ${them}.`
}

function fateOfRaw(to: string, target: Target): string {
  return target.losses.raw === undefined ? '; kept as raw.' : `; ${to} cannot carry raw events.`
}

function reportLines(to: string, losses: readonly Loss[], { paint, columns }: Messages): string[] {
  if (losses.length === 0) return [paint('green', `${to} carries everything in this run.`)]
  const counts = losses.map(({ count }) => `${count.toLocaleString('en')} ×`)
  const nameWidth = Math.max(...losses.map(({ feature }) => feature.length))
  const countWidth = Math.max(...counts.map((count) => count.length))
  const indent = ' '.repeat(2 + nameWidth + 2 + countWidth + 2)
  return [
    `${paint('bold', to)} cannot carry everything in this run:`,
    ...losses.map(({ feature, reason }, index) => {
      const name = `${paint('yellow', feature)}${' '.repeat(nameWidth - feature.length)}`
      const lines = wrapped(reason, columns - indent.length)
      return `  ${name}  ${counts[index]?.padStart(countWidth)}  ${lines.join(`\n${indent}`)}`
    }),
  ]
}

/** A narrower column is too narrow for text. */
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
