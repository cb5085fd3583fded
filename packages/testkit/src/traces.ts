import type { EventOf, EventType, StreamEvent } from '@millrace/core/events'
import type { Feature, Losses } from '@millrace/core/losses'
import { stringsOf } from './prose.ts'

/** The strings of an event that a wire must carry, and the feature whose declared loss excuses their absence. */
interface Trace {
  readonly excuse?: Feature
  readonly strings: readonly unknown[]
}

type Rows = { readonly [Type in EventType]?: (event: EventOf<Type>) => Trace }

const rows: Rows = {
  'block-delta': ({ text }) => ({ strings: [text] }),
  'tool-start': ({ name }) => ({ excuse: 'tool-calls', strings: [name] }),
  'tool-input': ({ input }) => ({ excuse: 'tool-calls', strings: [input] }),
  'tool-output': ({ output, status }) => ({ excuse: 'tool-output', strings: status === 'ok' ? [output] : [] }),
  'block-patch': ({ signature }) => ({ excuse: 'signature', strings: [signature] }),
  'tool-progress': ({ text }) => ({ excuse: 'tool-progress', strings: [text] }),
  source: ({ url, title }) => ({ excuse: 'sources', strings: [url, title] }),
  file: ({ url, mediaType }) => ({ excuse: 'files', strings: [url, mediaType] }),
  todos: ({ items }) => ({ excuse: 'todos', strings: items.map(({ content }) => content) }),
  'subagent-start': ({ name, task }) => ({ excuse: 'subagents', strings: [name, task] }),
  'subagent-end': ({ summary }) => ({ excuse: 'subagents', strings: [summary] }),
  status: ({ message }) => ({ excuse: 'status', strings: [message] }),
  data: ({ name, data }) => ({ excuse: 'data', strings: [name, data] }),
  state: ({ value }) => ({ excuse: 'state', strings: [value] }),
  metadata: ({ metadata }) => ({ excuse: 'metadata', strings: [metadata] }),
  error: ({ message }) => ({ excuse: 'errors', strings: [message] }),
  raw: ({ value }) => ({ excuse: 'raw', strings: [value] }),
  'run-end': ({ error }) => ({ excuse: 'run-error', strings: [error?.message] }),
}
const table = new Map(Object.entries(rows)) as Map<string, (event: StreamEvent) => Trace>

/** The strings of a run that a wire with these losses must carry. */
export function tracesOf(events: readonly StreamEvent[], losses: Losses): readonly string[] {
  const reasoning = new Set<string>()
  /** Blocks and calls of subagents: their later events need not name the agent. */
  const ofAgents = new Set<string>()
  /** A later signature replaces an earlier one. */
  const signatures = new Map(events.flatMap((event) => (isSignature(event) ? [[event.blockId, event]] : [])))
  /** A source that is reported again is the same source: the fold shows it as it was first. */
  const sourceIds = new Set<string>()
  let isOther = false
  return events.flatMap((event) => {
    if (isSignature(event) && signatures.get(event.blockId) !== event) return []
    if (event.type === 'source' && sourceIds.has(event.sourceId)) return []
    if (event.type === 'source') sourceIds.add(event.sourceId)
    if (event.type === 'block-start' && event.kind === 'reasoning') reasoning.add(event.blockId)
    if (event.type === 'block-start' && event.agentId !== undefined) ofAgents.add(`block ${event.blockId}`)
    if (event.type === 'tool-start' && event.agentId !== undefined) ofAgents.add(`call ${event.callId}`)
    const isOfAgent = event.agentId !== undefined || ofAgents.has(ownerOf(event))
    if (event.type === 'message-start' && event.agentId === undefined) isOther = event.role !== 'assistant'
    const { excuse, strings } = table.get(event.type)?.(event) ?? { strings: [] }
    const excuses: readonly (Feature | undefined)[] = [
      excuse,
      event.type === 'block-delta' && reasoning.has(event.blockId) ? 'reasoning' : undefined,
      isOfAgent && !event.type.startsWith('subagent-') ? 'subagent-content' : undefined,
      isOther ? 'other-roles' : undefined,
    ]
    return excuses.some((feature) => feature !== undefined && feature in losses) ? [] : stringsOf(strings)
  })
}

const isSignature = (event: StreamEvent): event is EventOf<'block-patch'> =>
  event.type === 'block-patch' && event.signature !== undefined

/** The block or the call that an event belongs to. */
function ownerOf(event: StreamEvent): string {
  const { blockId, callId } = event as { readonly blockId?: string; readonly callId?: string }
  return blockId === undefined ? `call ${callId}` : `block ${blockId}`
}

/** The strings that the chunks of a wire contain less often than they were said. */
export function missingStrings(strings: readonly string[], chunks: readonly unknown[]): readonly string[] {
  const chunkText = [...stringsOf(chunks), ...joinedDeltas(chunks)].join('\n\n')
  const wanted = new Map<string, number>()
  for (const text of strings) wanted.set(text, (wanted.get(text) ?? 0) + 1)
  return [...wanted].flatMap(([text, count]) => (occurrencesOf(text, chunkText, count) < count ? [text] : []))
}

/** How often a text occurs, as it is or escaped in JSON; at most `most`. */
function occurrencesOf(text: string, within: string, most: number): number {
  if (text === '') return most
  const escaped = JSON.stringify(text).slice(1, -1)
  let count = 0
  for (const form of new Set([text, escaped])) {
    for (let at = within.indexOf(form); at !== -1 && count < most; at = within.indexOf(form, at + form.length)) count++
  }
  return count
}

/**
 * The joined deltas of chunks that differ in `delta` alone: a wire may send a text only as deltas. For JSON also its
 * strings, because JSON can be written in many ways.
 */
function joinedDeltas(chunks: readonly unknown[]): readonly string[] {
  const wholes = new Map<string, string>()
  for (const chunk of chunks) {
    const { delta, ...otherFields } = chunk as { readonly [field: string]: unknown }
    if (typeof delta !== 'string') continue
    const key = stringsOf(otherFields).join('\n')
    wholes.set(key, (wholes.get(key) ?? '') + delta)
  }
  return [...wholes.values()].flatMap((whole) => [whole, ...stringsOf(jsonOf(whole))])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
