import type { Phase, Slack, Span, SpanKind, TimeKind } from '@millrace/core/spans'
import { argumentOf, bareNameOf } from '@millrace/react'
import { spanText } from '../words/numbers.ts'
import { endOf } from './row-times.ts'

export function nameOfSpan({ kind, name, state }: Span, number: number | undefined): string {
  if (kind === 'model') return number === undefined ? 'Model call' : `Model call ${number}`
  if (kind === 'thought') return state === 'live' ? 'Thinking…' : 'Thought'
  if (kind === 'approval') return 'Question'
  return (kind === 'tool' ? bareNameOf(name) : name) || namesOfKinds[kind]
}

const namesOfKinds: { readonly [Kind in SpanKind]: string } = {
  model: 'Model call',
  thought: 'Thought',
  tool: 'Tool',
  subagent: 'Subagent',
  approval: 'Question',
  status: 'Preparation',
}

const statesInWords: { readonly [State in Span['state']]?: string } = { failed: 'failed', cancelled: 'cancelled' }

export function noteOfSpan({ kind, name, input, failures }: Span): string {
  if (kind === 'model') return [name, failures !== undefined && 'retried'].filter(Boolean).join(', ')
  if (kind === 'tool') return argumentOf({ name, ...(input !== undefined && { input }) })
  if (kind === 'subagent') return 'subagent'
  return kind === 'approval' ? name : ''
}

/** The tools of several calls, each once, the most frequent first. */
export function wordsOfTools(nodes: readonly { readonly name: string }[]): string {
  const counts = new Map<string, number>()
  for (const { name } of nodes) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name)
    .join(', ')
}

/** How long it took, and how it ended if that was not well. */
export function labelOfSpan(span: Span): string {
  const state = statesInWords[span.state]
  return [spanText(endOf(span) - span.startedAt), state].filter(Boolean).join(' · ')
}

const wordsOfTool = {
  'first-token': 'Waits for the model',
  output: 'Writes',
  input: 'Model writes the input',
  run: 'Tool runs',
  person: 'Waits for a person',
  failed: 'Failed attempts',
} as const

/** What happens in a phase. */
export function wordsOfPhase({ kind }: Span, phase: Phase['kind']): string {
  if (kind === 'model' && phase === 'first-token') return 'Waits for the first token'
  if (kind === 'thought') return 'Thinks'
  if (phase === 'run' && kind !== 'tool') return kind === 'subagent' ? 'Subagent works' : 'Prepares'
  return wordsOfTool[phase]
}

export const wordsOfTimes: { readonly [Kind in TimeKind]: string } = {
  model: 'Model',
  tools: 'Tools',
  subagent: 'Subagents',
  person: 'Waiting for a person',
  failed: 'Failed attempts',
  status: 'Preparation',
  between: 'Nothing at work',
}

interface Why {
  readonly span: Span
  /** Absent: nothing depends on it, as on a thought. */
  readonly slack: Slack | undefined
  readonly onPathMs: number
  /** The subagent whose end counts; absent: the run's. */
  readonly holder?: string | undefined
  readonly isLive: boolean
}

/** Why a span did, or did not, make the run longer. */
export function whyText({ span, slack, onPathMs, holder, isLive }: Why): string {
  const whole = holder ?? 'the run'
  if (span.kind === 'thought') return 'A part of what its model call wrote.'
  if (onPathMs > 0) return `${upper(whole)} waited for it, for ${spanText(onPathMs)}.`
  if (span.state === 'live') return `${upper(whole)} does not wait for it alone.`
  if (slack === undefined || slack.ms <= 0) return `It did not delay ${whole}.`
  const behind = slack.behind === undefined ? '' : `: ${nameOfSpan(slack.behind, undefined)} was still at work`
  const soFar = isLive ? ' so far' : ''
  return `Could have ended ${spanText(slack.ms)} later without delaying ${whole}${soFar}${behind}.`
}

const upper = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
