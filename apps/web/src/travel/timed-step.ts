import type { ChatEvent, Segment } from '@millrace/core/fold'
import type { Mark } from '@millrace/core/travel'
import { selectedSegment } from '../position/selected-segment.ts'

/** A step of the run of the dock: its number in the thread, its first entry, and when that was. */
export interface TimedStep {
  readonly number: number
  readonly seq: number
  readonly time: number
}

/** The last step that had begun by an entry. */
export const stepAt = (steps: readonly TimedStep[], seq: number): TimedStep | undefined =>
  steps.findLast((step) => step.seq <= seq)

/** The step before or after an entry. From inside of a step, the one before is its own beginning. */
export const stepBeside = (steps: readonly TimedStep[], seq: number, step: 1 | -1): TimedStep | undefined =>
  step === 1 ? steps.find((each) => each.seq > seq) : steps.findLast((each) => each.seq < seq)

const wordsOfMarks: { readonly [Kind in Mark['kind']]: string } = {
  message: 'Message',
  tool: 'Tool',
  failure: 'Failure',
  approval: 'Question',
}

/** `Bash`, `Model overloaded`: what a mark stands for. */
export const markText = ({ kind, text }: Mark): string =>
  text === '' ? wordsOfMarks[kind] : (text.split('\n', 1)[0] ?? '')

const wordsOfSegments: { readonly [Type in Segment['type']]: string } = {
  ...{ text: 'Writes', reasoning: 'Thinks', tool: 'Tool', todos: 'Plan', status: 'Status', subagent: 'Subagent' },
  ...{ approval: 'Question', source: 'Source', file: 'File', data: 'Data', error: 'Failure' },
}

/** What the agent does at an entry, in a word. */
export function wordsAt(chatEvents: readonly ChatEvent[], runId: string, seq: number): string {
  const segment = selectedSegment(chatEvents, { runId, seqs: [seq, seq] })
  if (segment?.type === 'tool') return segment.title ?? segment.name
  if (segment?.type === 'subagent') return segment.name
  return segment === undefined ? 'Between pieces' : wordsOfSegments[segment.type]
}
