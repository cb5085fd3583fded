import { features } from '@millrace/core/losses'
import type { Content } from '@millrace/testkit/content'
import type { Comparison, Finding } from './compare.ts'

const columns = [
  'wire',
  'over',
  'connections',
  'chunks',
  'bytes',
  'texts',
  'thoughts',
  'tools',
  'equals the fold',
] as const

/** The comparison as text for people. */
export function reportOf({ findings, shared, problems }: Comparison): string {
  const rows = [columns, ...findings.map(rowOf)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const table = rows.map((row) =>
    row
      .map((cell, column) => padded(cell, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [
    ...table,
    '',
    ...findings.flatMap(lossLines),
    '',
    ...problemsOf(findings, problems),
    `All that every one of the ${findings.length} wires can say: ${countsOf(shared)}.`,
    '',
  ].join('\n')
}

function rowOf({ wire, by, connections, chunks, bytes, content, problem }: Finding): readonly string[] {
  const counts = [
    connections,
    chunks.length,
    bytes,
    content.texts.length,
    content.reasonings.length,
    content.tools.length,
  ]
  return [wire, by, ...counts.map((count) => count.toLocaleString('en-US')), problem === undefined ? 'yes' : 'NO']
}

/** Numbers are aligned to the right. */
const padded = (cell: string, column: number, width: number) =>
  column >= 2 && column <= 7 ? cell.padStart(width) : cell.padEnd(width)

function lossLines({ wire, lost }: Finding): readonly string[] {
  return [
    `${wire} cannot say: ${lost.length === 0 ? 'nothing is lost' : lost.map((feature) => features[feature]).join(', ')}`,
  ]
}

function problemsOf(findings: readonly Finding[], problems: readonly string[]): readonly string[] {
  const all = [...findings.flatMap(({ problem }) => problem ?? []), ...problems]
  return all.length === 0 ? ['Every viewer ends with the folded run, less what its wire cannot say.'] : all
}

const countsOf = ({ texts, reasonings, tools }: Content) =>
  `${texts.length} texts, ${reasonings.length} thoughts, ${tools.length} tool calls`
