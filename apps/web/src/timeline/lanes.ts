import type { Span, Spans } from '@millrace/core/spans'
import type { TimeWindow } from './axis.ts'

export interface SpeedLane {
  /** Per second, in parts of the window of the same length. */
  readonly bins: readonly number[]
  readonly peak: number
  readonly unit: 'tokens' | 'characters'
}

/** How fast the models wrote. Without counts of tokens, characters are counted. */
export function speedLane({ spans }: Spans, { from, to }: TimeWindow, count: number): SpeedLane {
  const width = (to - from) / count
  const sums = new Float64Array(count)
  const rate = tokensPerCharacter(spans)
  for (const span of spans) {
    const scale = rate === undefined ? 1 : (tokensPerCharacter([span]) ?? rate)
    for (const writing of span.writes ?? []) addWriting(sums, writing, scale, from, width)
  }
  const bins = [...sums].map((sum) => (width > 0 ? (sum / width) * 1_000 : 0))
  return { bins, peak: Math.max(0, ...bins), unit: rate === undefined ? 'characters' : 'tokens' }
}

function tokensPerCharacter(spans: readonly Span[]): number | undefined {
  let [tokens, characters] = [0, 0]
  for (const { usage, written } of spans) {
    if (usage?.outputTokens === undefined || written === undefined) continue
    tokens += usage.outputTokens
    characters += written
  }
  return tokens > 0 && characters > 0 ? tokens / characters : undefined
}

function addWriting(
  sums: Float64Array,
  writing: NonNullable<Span['writes']>[number],
  scale: number,
  start: number,
  width: number,
): void {
  const { from, to, length } = writing
  const amount = length * scale
  const [first, last] = [Math.floor((from - start) / width), Math.floor((to - start) / width)]
  for (let bin = Math.max(0, first); bin <= Math.min(last, sums.length - 1); bin++) {
    const [left, right] = [start + bin * width, start + (bin + 1) * width]
    const share = to > from ? Math.max(0, Math.min(to, right) - Math.max(from, left)) / (to - from) : 1
    sums[bin] = (sums[bin] ?? 0) + amount * share
  }
}

export interface ContextStep {
  readonly at: number
  readonly tokens: number
}

/** What the main agent's model calls were sent, each from the moment when it was asked. */
export function contextLane({ spans }: Spans): readonly ContextStep[] {
  return spans.flatMap(({ kind, agentId, startedAt, usage }) =>
    kind === 'model' && agentId === undefined && usage?.inputTokens !== undefined
      ? [{ at: startedAt, tokens: usage.inputTokens }]
      : [],
  )
}
