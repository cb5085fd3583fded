import type { Fault, Trial } from './fault.ts'

export interface Finding extends Trial {
  readonly fault: Fault
  readonly seed: number
}

/** The report that is committed. Its times and megabytes are those of the machine that wrote it. */
export function reportOf(findings: readonly Finding[]): string {
  const broken = findings.filter((finding) => finding.broken.length > 0)
  return [
    '# The faults, tried at full size',
    '',
    'Written by `npm run faults`. `npm test` tries the same on fewer rounds. Each is tried against the server in a',
    'process of its own, with its log on disk. Times and megabytes were measured on two cores that the clients shared',
    'with the server; they are for orientation only, unlike the results.',
    '',
    broken.length === 0 ? 'All promises are kept.' : `Broken: ${broken.map(({ fault }) => fault.name).join(', ')}.`,
    '',
    '| fault | promise | count | seed | result | figures |',
    '|---|---|---|---:|---|---|',
    ...findings.map(rowOf),
    '',
    'A kill of the process does not simulate a loss of power: for that the log relies on SQLite with `synchronous = FULL`.',
    '',
  ].join('\n')
}

function rowOf({ fault, seed, tried, broken, figures }: Finding): string {
  const result = broken.length === 0 ? 'kept' : `BROKEN (${broken.length})`
  return `| ${[fault.name, fault.promise, tried, seed, result, figures.join('; ')].join(' | ')} |`
}
