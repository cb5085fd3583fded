import type { ToolSegment } from '@millrace/core/fold'
import { durationOf } from '../durations.ts'
import type { Labels } from '../labels.ts'
import { countText, numberText } from '../numbers.ts'
import { kindNameOf, type ToolKindName } from './kinds.ts'

/** “Read 7 files, searched 3 times”: kinds in the order of their first call, those of unknown kind last. */
export function summaryOf(tools: readonly ToolSegment[], labels: Labels): string {
  const counts = new Map<ToolKindName, { readonly name: string; count: number }>()
  for (const { name } of tools) {
    const kind = kindNameOf(name)
    const before = counts.get(kind)
    if (before === undefined) counts.set(kind, { name, count: 1 })
    else before.count++
  }
  const inOrder = [...counts].sort(([a], [b]) => Number(a === 'other') - Number(b === 'other'))
  return labels.toolSummary(inOrder.map(([kind, { name, count }]) => partOf(tools, kind, name, count, labels)))
}

/** Calls of one tool of unknown kind are summarised by its name. */
function partOf(
  tools: readonly ToolSegment[],
  kind: ToolKindName,
  name: string,
  count: number,
  labels: Labels,
): string {
  const isOneTool = tools.every((tool) => kindNameOf(tool.name) !== kind || tool.name === name)
  if (kind !== 'other' || !isOneTool) return countText(count, labels.toolCounts[kind], labels)
  return labels.usedTool(name, count, numberText(count, labels))
}

/** The sum of their durations; undefined if one of them is not known. */
export function totalDuration(tools: readonly ToolSegment[]): number | undefined {
  const durations = tools.map(durationOf)
  return durations.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0)
}
