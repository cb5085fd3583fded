import type { ChatEvent } from '@millrace/core/fold'
import type { Span, Spans } from '@millrace/core/spans'
import { type Call, callsOf, exitCodeOf } from '@millrace/core/work'
import { clockText, costText, countText, seqText, spanText } from '../words/numbers.ts'
import { endOf } from './row-times.ts'

/** A fact in two words. Absent facts are left out. */
export type Fact = readonly [name: string, value: string]

const present = (facts: readonly (readonly [string, string | undefined])[]): readonly Fact[] =>
  facts.filter((fact): fact is Fact => fact[1] !== undefined)

/** What is certain about a span. */
export function factsOfSpan(
  span: Span,
  times: Spans,
  chatEvents: readonly ChatEvent[],
  hasTimes: boolean,
): readonly Fact[] {
  const { seqs, startedAt, endedAt, callId } = span
  const calls = callId === undefined ? [] : callsOf(chatEvents)
  const call = calls.find((each) => each.runId === times.runId && each.segment.callId === callId)
  const [first, last] = seqs
  return present([
    ['Started', hasTimes ? clockText(startedAt - times.startedAt) : undefined],
    ['Ended', hasTimes && endedAt !== undefined ? clockText(endedAt - times.startedAt) : undefined],
    ['Step', call && `${call.step} of ${Math.max(...calls.map(({ step }) => step))}`],
    ['Entries', first === last ? seqText(first) : `${seqText(first)}–${last.toLocaleString('en')}`],
    ['Agent', call?.agentName ?? span.agentId],
    ['Run by', call?.segment.runBy],
    ['Result', call && resultOf(call)],
  ])
}

const resultsOfStates = { done: 'done', failed: 'failed', denied: 'denied', cancelled: 'cancelled' } as const

function resultOf({ segment }: Call): string | undefined {
  const code = exitCodeOf(segment)
  if (code !== undefined) return `exit ${code}`
  return resultsOfStates[segment.state as keyof typeof resultsOfStates]
}

/** The model call itself, or the one that a call came from. */
export function factsOfModel(
  { name, usage = {}, written, writes, phases, failures }: Span,
  hasTimes: boolean,
): readonly Fact[] {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, costUsd } = usage
  const wait = phases.find(({ kind }) => kind === 'first-token')
  const wroteMs = (writes ?? []).reduce((sum, { from, to }) => sum + to - from, 0)
  const amount = outputTokens ?? written
  const unit = outputTokens === undefined ? 'characters/s' : 'tokens/s'
  return present([
    ['Model', name === '' ? undefined : name],
    ['First token', hasTimes && wait !== undefined ? `after ${spanText(wait.to - wait.from)}` : undefined],
    [
      'Speed',
      hasTimes && amount && wroteMs > 0 ? `${countText(Math.round((amount / wroteMs) * 1_000))} ${unit}` : undefined,
    ],
    ['Read', inputTokens === undefined ? undefined : `${countText(inputTokens)} tokens`],
    [
      'Cache read',
      cacheReadTokens && inputTokens ? `${countText(cacheReadTokens)} of ${countText(inputTokens)}` : undefined,
    ],
    ['Wrote', outputTokens === undefined ? undefined : `${countText(outputTokens)} tokens`],
    ['Of it thoughts', reasoningTokens ? `${countText(reasoningTokens)} tokens` : undefined],
    ['Failed attempts', failures === undefined ? undefined : String(failures)],
    ['Cost', costUsd === undefined ? undefined : costUsd < 1 ? `$${costUsd.toFixed(3)}` : costText(costUsd)],
  ])
}

/** What several spans have in common. */
export function factsOfGroup(spans: readonly Span[], start: number, hasTimes: boolean): readonly Fact[] {
  const lengths = spans.map((span) => endOf(span) - span.startedAt).sort((one, other) => one - other)
  const failed = spans.filter(({ state }) => state === 'failed').length
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)]
  return present([
    ['Spans', spans.length.toLocaleString('en')],
    ['Failed', failed === 0 ? undefined : String(failed)],
    ['First began', hasTimes && spans[0] ? clockText(spans[0].startedAt - start) : undefined],
    ['Shortest', hasTimes ? spanText(shortest) : undefined],
    ['Median', hasTimes ? spanText(lengths[Math.floor(lengths.length / 2)] ?? 0) : undefined],
    ['Longest', hasTimes ? spanText(longest) : undefined],
  ])
}
