import type { PhaseKind, Span, SpanKind, TimeKind } from '@millrace/core/spans'
import { kindNameOf, type ToolKindName } from '@millrace/react'
import type { IconName } from '../icon.tsx'

/** The colour of a bar and of its glyph. */
export type Tone = 'model' | 'think' | 'tool' | 'sub' | 'wait' | 'bad' | 'status'

const tonesOfKinds: { readonly [Kind in SpanKind]: Tone } = {
  model: 'model',
  thought: 'think',
  tool: 'tool',
  subagent: 'sub',
  approval: 'wait',
  status: 'status',
}

export const toneOf = ({ kind, state }: Span): Tone => (state === 'failed' ? 'bad' : tonesOfKinds[kind])

/** `wait`: pale. `work`: solid. `hatch`: striped, in the colour of what it waits for. */
export type Fill = 'wait' | 'work' | 'hatch'

export const fillsOfPhases: { readonly [Kind in PhaseKind]: Fill } = {
  'first-token': 'wait',
  input: 'wait',
  output: 'work',
  run: 'work',
  person: 'hatch',
  failed: 'hatch',
}

/** The phases that have a colour of their own, whatever the span is. */
export const tonesOfPhases: { readonly [Kind in PhaseKind]?: Tone } = { person: 'wait', failed: 'bad' }

export const tonesOfTimes: { readonly [Kind in TimeKind]: Tone } = {
  model: 'model',
  tools: 'tool',
  subagent: 'sub',
  person: 'wait',
  failed: 'bad',
  status: 'status',
  between: 'status',
}

const glyphsOfKinds: { readonly [Kind in Exclude<SpanKind, 'tool'>]: IconName } = {
  model: 'timeline',
  thought: 'brain',
  subagent: 'branch',
  approval: 'ask',
  status: 'clock',
}

const glyphsOfTools: { readonly [Kind in ToolKindName]: IconName } = {
  command: 'process',
  code: 'process',
  read: 'file',
  edit: 'pencil',
  write: 'pencil',
  search: 'search',
  list: 'list',
  web: 'globe',
  fetch: 'globe',
  other: 'bolt',
}

export function glyphOf({ kind, name, state }: Span): IconName {
  if (kind !== 'tool') return glyphsOfKinds[kind]
  return state === 'failed' ? 'failed' : glyphsOfTools[kindNameOf(name)]
}
