import type { RunSnapshot, Segment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'

/** What a person sees of a piece: without ids, times and positions, in which streams of different formats must differ. */
type Seen = { readonly [part: string]: unknown }

/** The pieces of a run that are finished, in their order, up to the first that is not. */
export function pictureOf({ chatEvents, outcome }: RunSnapshot): readonly Seen[] {
  const isOver = outcome !== undefined
  const all = chatEvents
    .filter(({ state }) => state !== 'retracted')
    .flatMap(({ role, segments }) => segments.filter(isDrawn).map((segment) => ({ role, segment })))
  // A plan changes until the end, so it is compared then.
  const steady = isOver ? all : all.filter(({ segment }) => segment.type !== 'todos')
  const open = isOver ? -1 : steady.findIndex(({ segment }) => !isFinished(segment))
  return (open === -1 ? steady : steady.slice(0, open)).map(({ role, segment }) => ({ role, ...seenOf(segment) }))
}

const isDrawn = (segment: Segment) =>
  !(segment.type === 'tool' && segment.shownAs !== undefined) &&
  !(segment.type === 'text' && segment.text.trim() === '') &&
  !(segment.type === 'reasoning' && segment.text === '')

const OPEN: ReadonlySet<unknown> = new Set(['live', 'input', 'ready', 'approval', 'running'])

const isFinished = (segment: Segment) => !('state' in segment) || !OPEN.has(segment.state)

function seenOf(segment: Segment): Seen {
  if (segment.type === 'text') return { text: segment.text }
  if (segment.type === 'reasoning') return { reasoning: segment.text.trimEnd() }
  if (segment.type === 'todos') return { todos: segment.items.map(({ status, content }) => [status, content]) }
  if (segment.type === 'subagent') {
    const { name, task, segments } = segment
    return { subagent: name, task, inside: segments.filter(isDrawn).map(seenOf) }
  }
  if (segment.type !== 'tool') return { other: segment.type }
  const { name, input, output, error, state } = segment
  return { tool: name, input, output: error ?? wordsOf(output), state }
}

/** The text of an output: some frameworks wrap it in blocks, or in an object of one field. */
function wordsOf(output: Json | undefined): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(wordsOf).join('')
  if (typeof output !== 'object' || output === null) return JSON.stringify(output) ?? ''
  const { type: _, ...fields } = output as { readonly [field: string]: Json }
  const words = Object.values(fields).filter((value) => typeof value === 'string' || Array.isArray(value))
  return words.length === 1 ? wordsOf(words[0]) : JSON.stringify(output)
}

/** `pieces`: how many of them are finished in all runs. `different`: the runs whose picture is another than that of most. */
export interface Agreement {
  readonly pieces: number
  readonly different: readonly string[]
  readonly isWhole: boolean
}

/** Compares what all runs have finished; once all have ended, all of it. */
export function agreementOf(runs: readonly RunSnapshot[]): Agreement {
  const isWhole = runs.every(({ outcome }) => outcome !== undefined)
  const pieces = Math.min(...runs.map((run) => comparedOf(run, isWhole).length))
  const texts = runs.map((run) => JSON.stringify(comparedOf(run, isWhole).slice(0, pieces)))
  const most = mostFrequent(texts)
  return { pieces, different: runs.flatMap(({ runId }, index) => (texts[index] === most ? [] : [runId])), isWhole }
}

/** What is compared of a run. While one of them goes on, a run that has ended is ahead of it by its plan. */
export const comparedOf = (run: RunSnapshot, isWhole: boolean): readonly Seen[] =>
  pictureOf(run).filter((seen) => isWhole || seen.todos === undefined)

function mostFrequent(texts: readonly string[]): string | undefined {
  const countOf = (text: string) => texts.filter((other) => other === text).length
  return [...texts].sort((one, other) => countOf(other) - countOf(one))[0]
}
