import type { Fault, Trial } from './fault.ts'
import type { Mode } from './modes.ts'

export interface Finding extends Trial {
  readonly fault: Fault
  /** The seed, or the ranges of those that were tried. */
  readonly seed: string
  readonly seconds: number
}

const HEAD = [
  '# The faults, tried at full size',
  '',
  'Written by `npm run faults`, `npm run faults -- --postgres`, `-- --agents` and `-- --nodes`, each its own section. `npm test`',
  'tries the same on fewer rounds. A fault that is tried in rounds has a file in `docs/faults`, with a line for each part of its rounds: a part',
  'is played on a store of its own, and its row is the sum of all parts. Each is tried against the server in a process of its own. Times and megabytes were measured on',
  'two cores that the clients shared with the server; they are for orientation only, unlike the results.',
]

const TABLE = ['| fault | promise | count | seed | result | figures |', '|---|---|---|---:|---|---|']

/**
 * The page with the rows of these findings, which replace the earlier rows of the same faults. Every other row stays as it
 * is, except those of faults that are not tried any more.
 */
export function updatedReport(page: string, modes: readonly Mode[], mode: Mode, findings: readonly Finding[]): string {
  const sections = modes.flatMap((each) => {
    const earlier = rowsBelow(page, each.heading)
    const found = new Map(each === mode ? findings.map((finding) => [finding.fault.name, rowOf(finding)]) : [])
    const rows = each.faults.flatMap(({ name }) => found.get(name) ?? earlier.get(name) ?? [])
    return rows.length === 0 ? [] : [sectionOf(each, rows)]
  })
  return [...HEAD, ...sections.flat(), ''].join('\n')
}

function sectionOf({ heading, setting }: Mode, rows: readonly string[]): readonly string[] {
  const broken = rows.filter((row) => row.includes('| BROKEN ('))
  const verdict = broken.length === 0 ? 'All promises are kept.' : `Broken: ${broken.map(nameOf).join(', ')}.`
  return ['', `## ${heading}`, '', setting, '', verdict, '', ...TABLE, ...rows]
}

/** The rows of a section, by the name of the fault. */
function rowsBelow(page: string, heading: string): ReadonlyMap<string, string> {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line !== TABLE[0])
  return new Map(rows.map((row) => [nameOf(row), row]))
}

const nameOf = (row: string) => row.split(' | ')[0]?.slice(2) ?? ''

function rowOf({ fault, seed, tried, broken, figures, seconds }: Finding): string {
  const result = broken.length === 0 ? 'kept' : `BROKEN (${broken.length})`
  const cells = [fault.name, fault.promise, tried, seed, result, [...figures, `${seconds} s in all`].join('; ')]
  return `| ${cells.join(' | ')} |`
}
