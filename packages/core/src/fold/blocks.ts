import type { ReasoningSegment, Segment, SegmentType, StatusSegment, TodosSegment } from './shapes.ts'

interface GroupBlock<Kind extends string, Member extends Segment> {
  readonly kind: Kind
  /** The `seq` of its first entry: unique among the blocks of one chat event, and the same while they grow. */
  readonly key: number
  readonly segments: readonly Member[]
  readonly state: 'live' | 'done'
  readonly startedAt: number
  readonly endedAt?: number
  /** Absent while live, and if the stream has no clock. */
  readonly durationMs?: number
}

export type ProcessingBlock = GroupBlock<'processing', StatusSegment | TodosSegment>
export type ThinkingBlock = GroupBlock<'thinking', ReasoningSegment>

/** A segment that is drawn on its own. */
export interface SegmentBlock {
  readonly kind: 'segment'
  readonly key: number
  readonly segment: Exclude<Segment, StatusSegment | TodosSegment | ReasoningSegment>
}

export type Block = ProcessingBlock | ThinkingBlock | SegmentBlock

/** What is drawn, in the order of arrival: neighbours of one kind form one block, other segments a block each. */
export function blocksOf(segments: readonly Segment[]): readonly Block[] {
  const drawn = segments.filter(isDrawn)
  const blocks: Block[] = []
  let start = 0
  for (let index = 1; index <= drawn.length; index++) {
    const first = drawn[start]
    const next = drawn[index]
    if (first === undefined) break
    const kind = kindOf[first.type]
    if (next !== undefined && kind !== 'segment' && kindOf[next.type] === kind) continue
    blocks.push(makeBlock(first, drawn.slice(start, index)))
    start = index
  }
  return blocks
}

/** The same blocks in a fixed order: all processing in one, all thinking in one, then the rest as it arrived. */
export function groupedBlocksOf(segments: readonly Segment[]): readonly Block[] {
  const blocks = blocksOf(segments)
  const processing = merged(blocks.filter((block) => block.kind === 'processing'))
  const thinking = merged(blocks.filter((block) => block.kind === 'thinking'))
  return [...processing, ...thinking, ...blocks.filter((block) => block.kind === 'segment')]
}

const labels = {
  processing: { live: 'Processing...', done: 'Processed', timed: 'Processed in' },
  thinking: { live: 'Thinking...', done: 'Thought', timed: 'Thought for' },
} as const

/** The label of the block's trigger. Whole seconds, rounded, never less than one; from a minute on `1m 4s`. */
export function blockLabel(block: ProcessingBlock | ThinkingBlock): string {
  const { live, done, timed } = labels[block.kind]
  if (block.state === 'live') return live
  return block.durationMs === undefined ? done : `${timed} ${secondsOf(block.durationMs)}`
}

/** A shorter duration was read at once without a clock of its own, or is too short to be worth a number. */
const SHORTEST_MS = 50

/** A duration in ms. Undefined if it is not known: an entry is stamped 0 if there was no clock. */
export function durationBetween(startedAt: number, endedAt: number | undefined): number | undefined {
  if (endedAt === undefined || startedAt === 0) return undefined
  const duration = endedAt - startedAt
  return duration < SHORTEST_MS ? undefined : duration
}

const kindOf: { readonly [Type in SegmentType]: Block['kind'] } = {
  status: 'processing',
  todos: 'processing',
  reasoning: 'thinking',
  text: 'segment',
  tool: 'segment',
  subagent: 'segment',
  approval: 'segment',
  source: 'segment',
  file: 'segment',
  data: 'segment',
  error: 'segment',
}

/** Blank text is not drawn, even while live, and must not separate its neighbours. */
function isDrawn(segment: Segment): boolean {
  if (segment.type === 'tool') return segment.shownAs === undefined
  if (segment.type === 'todos') return segment.items.length > 0
  if (segment.type === 'text') return segment.text.trim() !== ''
  if (segment.type !== 'reasoning' || segment.text.trim() !== '') return true
  return segment.state === 'live' || segment.encrypted !== undefined || segment.variant === 'redacted'
}

function makeBlock(first: Segment, members: readonly Segment[]): Block {
  const [key] = first.seqs
  if (kindOf[first.type] === 'processing') {
    const segments = members as readonly (StatusSegment | TodosSegment)[]
    const isLive = segments.some((segment) => segment.type === 'status' && segment.endedAt === undefined)
    return { kind: 'processing', key, segments, ...times(segments, isLive) }
  }
  if (first.type === 'reasoning') {
    const segments = members as readonly ReasoningSegment[]
    const isLive = segments.some((segment) => segment.state === 'live')
    return { kind: 'thinking', key, segments, ...times(segments, isLive) }
  }
  return { kind: 'segment', key, segment: first as SegmentBlock['segment'] }
}

/** A list of todos has no duration here: a later update does not prolong the block in which it first appeared. */
function endOf(segment: Segment): number | undefined {
  return segment.type === 'todos' ? segment.startedAt : segment.endedAt
}

function times(
  segments: readonly Segment[],
  isLive: boolean,
): Pick<ProcessingBlock, 'state' | 'startedAt' | 'endedAt' | 'durationMs'> {
  const startedAt = segments[0]?.startedAt ?? 0
  if (isLive) return { state: 'live', startedAt }
  const ends = segments.map(endOf).filter((end) => end !== undefined)
  if (ends.length === 0) return { state: 'done', startedAt }
  const endedAt = ends.reduce((latest, end) => Math.max(latest, end), startedAt)
  const durationMs = durationBetween(startedAt, endedAt)
  return { state: 'done', startedAt, endedAt, ...(durationMs !== undefined && { durationMs }) }
}

/** One block of all these. Its duration is the sum of theirs, without the time between them. */
function merged<Kind extends string, Member extends Segment>(
  blocks: readonly GroupBlock<Kind, Member>[],
): readonly GroupBlock<Kind, Member>[] {
  const [first] = blocks
  const last = blocks.at(-1)
  if (first === undefined || last === undefined || first === last) return blocks
  const { kind, key, startedAt } = first
  const segments = blocks.flatMap((block) => block.segments)
  if (blocks.some((block) => block.state === 'live')) return [{ kind, key, segments, state: 'live', startedAt }]
  const durations = blocks.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]))
  const isTimed = durations.length === blocks.length
  return [
    {
      kind,
      key,
      segments,
      state: 'done',
      startedAt,
      ...(last.endedAt !== undefined && { endedAt: last.endedAt }),
      ...(isTimed && { durationMs: durations.reduce((sum, duration) => sum + duration, 0) }),
    },
  ]
}

function secondsOf(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}
