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

/** A part of the page that can be tried, and written, alone. */
export interface Section {
  readonly title: string
  readonly about: readonly string[]
  readonly findings: readonly Finding[]
  readonly figures: readonly string[]
  /** Behind the table. */
  readonly more?: readonly string[]
}

/** The page with this section in place of the one of its title, or as the last one. */
export function withSection(page: string, { title, about, findings, figures, more = [] }: Section): string {
  const [head = '', ...sections] = page.trimEnd().split('\n\n## ')
  const lines = [title, '', ...about, '', ...figures.map((line) => `- ${line}`), '', ...tableOf(findings), ...more]
  const section = lines.join('\n')
  const index = sections.findIndex((each) => each.startsWith(`${title}\n`))
  const all = index === -1 ? [...sections, section] : sections.with(index, section)
  return `${[head, ...all].join('\n\n## ')}\n`
}

/**
 * The page with these rows in the section of this title, whose other rows stay. All rows of a table are tried on the same things:
 * throws if the others were not.
 */
export function withRows(page: string, section: Section): string {
  const lines = (page.split(`\n\n## ${section.title}\n`)[1]?.split('\n\n## ')[0] ?? '').split('\n')
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'))
  if (rows.length === 0) return withSection(page, section)
  const figures = lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
  if (figures.join('\n') !== section.figures.join('\n'))
    throw new Error(`The other rows were tried on something else:\n${figures.join('\n')}`)
  const byName = new Map(rows.map((row) => [row.split('|')[1]?.trim(), row]))
  for (const finding of section.findings) byName.set(finding.over, rowOf(finding))
  const table = [...TABLE, ...byName.values()].join('\n')
  return withSection(page, section).replace(tableOf(section.findings).join('\n'), () => table)
}

const TABLE = ['| over | promise | cases | checks | |', '|---|---|---:|---:|---|']

function tableOf(findings: readonly Finding[]): readonly string[] {
  return [...TABLE, ...findings.map(rowOf)]
}

function rowOf({ over, promise, cases, checks, broken }: Finding): string {
  return `| ${over} | ${promise} | ${count(cases)} | ${count(checks)} | ${broken.length === 0 ? 'kept' : 'BROKEN'} |`
}

const count = (number: number) => number.toLocaleString('en-US')
