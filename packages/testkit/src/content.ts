import type { Entry } from '@millrace/core/events'
import { fold, leavesOf, type Segment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { Losses } from '@millrace/core/losses'

/** The final content of a protocol's client, in the order in which its parts began. */
export interface Content {
  readonly texts: readonly string[]
  readonly reasonings: readonly string[]
  readonly tools: readonly {
    readonly name: string
    readonly input?: Json | undefined
    readonly output?: Json | undefined
  }[]
}

/** The expected content of a client: the folded run without the losses of the wire. */
export function contentOf(entries: readonly Entry[], losses: Losses): Content {
  const carriedEntries = 'rewrite' in losses ? entries.map(withoutRewrite) : entries
  const segments = fold(carriedEntries)
    .chatEvents.filter(({ role }) => role === 'assistant' || !('other-roles' in losses))
    .flatMap((chat) => carriedSegments(chat.segments, losses))
    .toSorted((a, b) => a.seqs[0] - b.seqs[0])
  const textsOf = (kind: 'text' | 'reasoning') =>
    segments.flatMap((segment) => (segment.type === kind && segment.text !== '' ? [segment.text] : []))
  return {
    texts: textsOf('text'),
    reasonings: 'reasoning' in losses ? [] : textsOf('reasoning'),
    tools: 'tool-calls' in losses ? [] : segments.flatMap((segment) => toolOf(segment, losses)),
  }
}

/** Input and output only if the folded call has them: a client may show anything for other calls. */
function toolOf(segment: Segment, losses: Losses): Content['tools'] {
  if (segment.type !== 'tool') return []
  const isDone = segment.state === 'done' && !('tool-output' in losses)
  const { name, input, output } = segment
  return [{ name, ...(input !== undefined && { input }), ...(isDone && { output }) }]
}

/** The content of the client without what it shows beyond the expected content. */
export function comparable(actual: Content, expected: Content): Content {
  const tools = actual.tools.map(({ name, input, output }, index) => {
    const wanted = expected.tools[index] ?? { name }
    return { name, ...('input' in wanted && { input }), ...('output' in wanted && { output }) }
  })
  const isNotEmpty = (text: string) => text !== ''
  return { texts: actual.texts.filter(isNotEmpty), reasonings: actual.reasonings.filter(isNotEmpty), tools }
}

function carriedSegments(segments: readonly Segment[], losses: Losses): readonly Segment[] {
  return 'subagent-content' in losses ? segments.filter(({ type }) => type !== 'subagent') : leavesOf(segments)
}

function withoutRewrite(entry: Entry): Entry {
  if (entry.event.type !== 'block-patch' || entry.event.text === undefined) return entry
  const { text: _text, ...event } = entry.event
  return { ...entry, event }
}
