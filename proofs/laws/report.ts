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

const TABLE = ['| over | promise | cases | checks | |', '|---|---|---:|---:|---|']

const LOADING = '## Law 11: loaded = streamed'

/** The report with another section about law 11, which is its last. */
export function withLoading(report: string, findings: readonly Finding[], effort: readonly string[]): string {
  return withSection(report, [...effortLines(effort), '', ...tableOf(findings)])
}

/**
 * The report with these rows in its section about law 11, whose other rows stay. All rows of a table are tried on the same
 * things: throws if the others were not.
 */
export function withLoadingRows(report: string, findings: readonly Finding[], effort: readonly string[]): string {
  const lines = (report.split(LOADING)[1] ?? '').split('\n')
  const written = lines.filter((line) => line.startsWith('- '))
  if (written.length > 0 && written.join('\n') !== effortLines(effort).join('\n'))
    throw new Error(`The other rows were tried on something else:\n${written.join('\n')}`)
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'))
  const byName = new Map(rows.map((row) => [overOf(row), row]))
  for (const finding of findings) byName.set(finding.over, rowOf(finding))
  return withSection(report, [...effortLines(effort), '', ...TABLE, ...byName.values()])
}

const overOf = (row: string) => row.split('|')[1]?.trim() ?? ''

const effortLines = (effort: readonly string[]) => effort.map((line) => `- ${line}`)

function withSection(report: string, content: readonly string[]): string {
  const [before = ''] = report.split(LOADING)
  const lines = [
    LOADING,
    '',
    'What a client loads, and then streams, is what a client holds that has streamed everything. `npm run laws -- history`',
    'tries this one alone, `npm run laws -- history WIRE` on one wire.',
    '',
    ...content,
    '',
  ]
  return `${before.trimEnd()}\n\n${lines.join('\n')}`
}

function tableOf(findings: readonly Finding[]): readonly string[] {
  return [...TABLE, ...findings.map(rowOf)]
}

function rowOf({ over, promise, cases, checks, broken }: Finding): string {
  return `| ${over} | ${promise} | ${count(cases)} | ${count(checks)} | ${broken.length === 0 ? 'kept' : 'BROKEN'} |`
}

const count = (number: number) => number.toLocaleString('en-US')
