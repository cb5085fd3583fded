import { type AccountRow, accountTable } from './accounts.ts'
import type { Finding } from './measure.ts'

/** The report that is committed: counts and seeds, nothing that another machine or day would change. */
export function reportOf(
  findings: readonly Finding[],
  effort: readonly string[],
  accounts: readonly AccountRow[],
): string {
  const broken = findings.filter((finding) => finding.broken.length > 0)
  const checks = findings.reduce((sum, finding) => sum + finding.checks, 0)
  const verdict = broken.length === 0 ? 'All are kept.' : `Broken: ${broken.length}.`
  return [
    '# The laws, tried at full size',
    '',
    'Written by `npm run laws`. `npm test` tries the same promises on fewer prefixes, cuts and streams.',
    '',
    ...effort.map((line) => `- ${line}`),
    '',
    `${findings.length} promises, ${count(checks)} checks. ${verdict}`,
    '',
    ...tableOf(findings),
    '',
    '## What became of every record',
    '',
    'Over the fixtures and the corpus. A record gives events, or it is kept as `raw` in part or in whole, or it is silent:',
    'its parser understands it and it adds nothing, because it repeats, only carries, or is held for a later event.',
    '',
    ...accountTable(accounts),
    '',
  ].join('\n')
}

const LOADING = '## Law 11: loaded = streamed'

/** The report with another section about law 11, which is its last. */
export function withLoading(report: string, findings: readonly Finding[], effort: readonly string[]): string {
  const [before = ''] = report.split(LOADING)
  const lines = [
    LOADING,
    '',
    'What a client loads, and then streams, is what a client holds that has streamed everything. `npm run laws -- history`',
    'tries this one alone.',
    '',
    ...effort.map((line) => `- ${line}`),
    '',
    ...tableOf(findings),
    '',
  ]
  return `${before.trimEnd()}\n\n${lines.join('\n')}`
}

function tableOf(findings: readonly Finding[]): readonly string[] {
  return ['| over | promise | cases | checks | |', '|---|---|---:|---:|---|', ...findings.map(rowOf)]
}

function rowOf({ over, promise, cases, checks, broken }: Finding): string {
  return `| ${over} | ${promise} | ${count(cases)} | ${count(checks)} | ${broken.length === 0 ? 'kept' : 'BROKEN'} |`
}

const count = (number: number) => number.toLocaleString('en-US')
