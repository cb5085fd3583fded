import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
import type { ChatEvent, RunSnapshot, Segment, ToolSegment } from '@millrace/core/fold/shapes'
import type { JsonObject } from '@millrace/core/json'
import type { Losses } from '@millrace/core/losses'

type Fields = { readonly [field: string]: unknown }

/** A run as it looks: ids and times are masked, and what a wire cannot say is left out. */
export interface Picture {
  readonly outcome: unknown
  readonly error: unknown
  readonly usage: unknown
  readonly metadata: unknown
  readonly state: unknown
  readonly messages: unknown
}

export function pictureOf(entries: readonly Entry[], losses: Losses): Picture {
  const folded = fold('rewrite' in losses ? entries.map(withoutRewrite) : entries)
  const { outcome, error, usage, state } = folded
  return { outcome, error, usage, state, metadata: metadataOf(folded), messages: messagesOf(folded.chatEvents, losses) }
}

/** The reason of an end is in the words of the wire. */
function metadataOf({ metadata }: RunSnapshot): JsonObject {
  const { reason: _reason, ...rest } = metadata ?? {}
  return rest
}

/** If a wire has one message, the messages of the run are its parts, in order of arrival. */
function messagesOf(chatEvents: readonly ChatEvent[], losses: Losses): unknown {
  const drawn = chatEvents.filter(({ role }) => role === 'assistant' || !('other-roles' in losses))
  if ('messages' in losses) {
    const segments = drawn.flatMap((chat) => chat.segments).toSorted((a, b) => a.seqs[0] - b.seqs[0])
    return joinedStatuses(segments).map((segment) => segmentOf(segment, losses))
  }
  return drawn.map(({ segments, steps = [], ...chat }) => ({
    ...masked(chat),
    steps: 'steps' in losses ? [] : steps.map(masked),
    segments: segments.map((segment) => segmentOf(segment, losses)),
  }))
}

/** Lines of two messages that are adjacent in one message are one group. */
function joinedStatuses(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (segment.type === 'status' && last?.type === 'status') {
      joined.splice(-1, 1, { ...last, lines: [...last.lines, ...segment.lines] })
    } else joined.push(segment)
  }
  return joined
}

function segmentOf(segment: Segment, losses: Losses): unknown {
  if (segment.type === 'subagent') {
    const { segments, ...rest } = segment
    return { ...masked(rest), segments: segments.map((child) => segmentOf(child, losses)) }
  }
  if (segment.type === 'status') return { ...masked(segment), lines: segment.lines.map((line) => masked(line)) }
  if (segment.type === 'reasoning') return masked({ ...segment, variant: segment.variant ?? 'thinking' })
  return masked(segment.type === 'tool' ? toolOf(segment, losses) : segment)
}

/** The one sentence of a failure may be in `error` or in `output`; both mean the same. */
function toolOf({ progress: progressLines, shownAs, ...tool }: ToolSegment, losses: Losses): Fields {
  const isFailed = tool.state === 'failed'
  const isOver = isFailed || tool.state === 'cancelled'
  const text = typeof tool.output === 'string' && tool.output !== '' ? tool.output : undefined
  const error = tool.error ?? (isFailed ? (text ?? JSON.stringify(tool.output)) : undefined)
  const isRepeated = isOver && (tool.output === null || tool.output === '' || tool.output === error)
  const state = tool.state === 'running' && 'tool-progress' in losses ? 'ready' : tool.state
  return {
    ...tool,
    // A wire of one message has steps without their kinds: which of them is the final one is lost.
    shownAs: shownAs === 'answer' && 'messages' in losses ? undefined : shownAs,
    state,
    ...('tool-progress' in losses ? {} : { progress: progressLines }),
    ...(error !== undefined && { error }),
    ...(isRepeated && { output: undefined }),
  }
}

const MASKED: ReadonlySet<string> = new Set([
  'id',
  'runId',
  'callId',
  'parentCallId',
  'agentId',
  'approvalId',
  'listId',
  'sourceId',
  'fileId',
  'blockId',
  'startedAt',
  'endedAt',
  'at',
  'seqs',
])

function masked(fields: object): Fields {
  const kept = Object.entries(fields).filter(([field, value]) => value !== undefined && !MASKED.has(field))
  return Object.fromEntries(kept)
}

function withoutRewrite(entry: Entry): Entry {
  if (entry.event.type !== 'block-patch' || entry.event.text === undefined) return entry
  const { text: _text, ...event } = entry.event
  return { ...entry, event }
}
