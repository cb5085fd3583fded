import { present } from '../../data/present.ts'
import type { ReasoningPart as FoldedPart } from '../../fold/event-builder/reasoning-parts.ts'
import type { Segment as FoldedSegment, SegmentOf, ToolSegment } from '../../fold/shapes.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { CodeInterpreterSegment, ReasoningPart, Segment, ToolResultSegment, WebSearchSegment } from './event.ts'

export interface SegmentsOptions {
  /** The parts of a reasoning segment. */
  readonly partsOf: (segmentId: string) => readonly FoldedPart[]
  readonly now: () => number
}

/** The types that a builder makes. */
type BuiltSegment = SegmentOf<'text' | 'reasoning' | 'tool'>

/** The positions of a folded segment: a call and its result are two segments. */
interface Slots {
  readonly own: number
  result: number | undefined
}

/**
 * The segments of one Event as it grows, in the order of their arrival. A position never changes, and neither does a
 * segment of which nothing changed.
 */
export function createSegments({ partsOf, now }: SegmentsOptions): (folded: readonly FoldedSegment[]) => Segment[] {
  const segments: Segment[] = []
  const slots: Slots[] = []
  let before: readonly FoldedSegment[] = []
  /** When a part came: segment id and index → ms. */
  const createdAt = new Map<string, number>()

  function partOf(segmentId: string, isDone: boolean, part: FoldedPart): ReasoningPart {
    const key = `${segmentId}\n${part.summary_index}`
    const created_at = createdAt.get(key) ?? now()
    createdAt.set(key, created_at)
    return { ...part, type: 'summary_text', is_complete: isDone || part.is_complete, created_at }
  }

  const rows: { readonly [Type in BuiltSegment['type']]: (segment: SegmentOf<Type>, position: number) => Segment } = {
    text: ({ id, text }) => ({ type: 'text', id, text }),
    reasoning({ id, state, startedAt, endedAt }, position) {
      const parts = partsOf(id).map((part) => partOf(id, state === 'done', part))
      const streaming = state === 'live'
      const index = streaming ? parts.at(-1)?.summary_index : undefined
      const [first] = parts
      return {
        type: 'reasoning',
        id,
        output_index: position,
        sequence_number: first?.sequence_number ?? 0,
        parts,
        streaming,
        started_at: startedAt,
        ...present({ streaming_part_index: index, completed_at: endedAt }),
      }
    },
    tool: (segment, position) => builtInOf(segment, position) ?? callOf(segment),
  }

  function put(segment: BuiltSegment, index: number): void {
    const slot = slots[index] ?? { own: segments.length, result: undefined }
    slots[index] = slot
    segments[slot.own] = rows[segment.type](segment as never, slot.own)
    const result = segment.type === 'tool' ? resultOf(segment) : undefined
    if (result === undefined) return
    slot.result ??= segments.length
    segments[slot.result] = result
  }

  return (folded) => {
    // A plain loop: it runs over all segments at every change.
    for (let index = 0; index < folded.length; index++) {
      const segment = folded[index]
      if (segment !== before[index]) put(segment as BuiltSegment, index)
    }
    before = folded
    return segments.slice()
  }
}

function callOf({ callId: id, name, input, startedAt, endedAt }: ToolSegment): Segment {
  const args = objectOf(input)
  return { type: 'tool_call', id, name, args, started_at: startedAt, ...present({ completed_at: endedAt }) }
}

/** The result of a call that has one. That of a tool that the provider runs is its status, unless it says more. */
function resultOf({ callId: id, state, output, error, endedAt, runBy }: ToolSegment): ToolResultSegment | undefined {
  if (endedAt === undefined || runBy === 'provider') return undefined
  const failure = error ?? (state === 'done' ? undefined : state)
  return { type: 'tool_result', id, output: objectOf(output), ...present({ error: failure }), completed_at: endedAt }
}

/** The types say that arguments and outputs are objects; a value that is none is passed on as it is. */
const objectOf = (value: Json | undefined) => (value ?? {}) as object

/** The name of a tool that the provider runs → the type of its segment, and its status while it runs. */
const BUILT_IN = {
  web_search: ['web_search_call', 'searching'],
  code_interpreter: ['code_interpreter_call', 'interpreting'],
} as const

const STATUS: { readonly [State in ToolSegment['state']]?: 'in_progress' | 'completed' } = {
  input: 'in_progress',
  ready: 'in_progress',
  done: 'completed',
}

function builtInOf(segment: ToolSegment, position: number): WebSearchSegment | CodeInterpreterSegment | undefined {
  const { callId: id, name, runBy, state, input, progress: reports = [], startedAt, endedAt } = segment
  if (runBy !== 'provider' || !Object.hasOwn(BUILT_IN, name)) return undefined
  const [type, busy] = BUILT_IN[name as keyof typeof BUILT_IN]
  const status = state === 'running' ? busy : (STATUS[state] ?? 'failed')
  // Code that came after the result is progress.
  const code = [...reports.map(({ data }) => data), input].map(codeIn).find((text) => text !== undefined)
  const own = { id, output_index: position, sequence_number: position, status, streaming: endedAt === undefined }
  const times = { started_at: startedAt, ...present({ completed_at: endedAt }) }
  return { type, ...own, ...times, ...present({ code }) } as WebSearchSegment | CodeInterpreterSegment
}

function codeIn(value: Json | undefined): string | undefined {
  return isJsonObject(value) && typeof value.code === 'string' ? value.code : undefined
}
