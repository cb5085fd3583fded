import type { Event, Segment } from '@millrace/core/compat/event-builder'
import type { ChatEvent } from '@millrace/core/fold'
import { toAnthropicMessages } from '@millrace/core/messages'
import { segmentsOf } from './first/page.ts'
import { FIRST_HALF, SECOND_HALF, STORED, sse } from './fourth/frames.ts'
import { openPage } from './fourth/page.ts'
import { holds, type SwitchProgram, type SwitchRow, type SwitchServer, same } from './program.ts'
import { until } from './until.ts'

const [CHAT, RUN] = ['harbour-talk', 'talk-1']

/** The fourth system: a page that builds Events of segments, Events in a table, and the next request to a provider. */
export const fourth: SwitchProgram = {
  name: 'fourth',
  title:
    'A server that calls its provider itself sends the frames of its answer. A page builds Events of them, is opened again in mid-answer, and stores what is final; the next request to the provider is made of what is stored.',
  differs: [
    {
      what: 'The server that calls the provider sends its frames to `POST /api/ingest?format=event-segments`, and the page reads `GET /api/runs/:id/stream?wire=event-segments&profile=tools`.',
      why: 'The log is between the two, so that a page that comes later, or again, gets the same.',
    },
    {
      what: 'The id of an Event is the id of its run, a slash, and the id that it was sent with.',
      why: 'Two runs may use the same id. The page does not look into it.',
    },
    {
      what: 'A result that comes after its Event is complete is a `segment` that names its Event; then the Event is sent again.',
      why: 'Results follow the end of a provider’s response; a page that stores each complete Event has them.',
    },
    {
      what: 'Stored Events of the role `tool` become results of the calls that they name.',
      why: 'One call has one result, wherever a system keeps it.',
    },
    {
      what: 'The hint `tool_complete` behind a `tool_result`, between two Events, is kept as a raw record.',
      why: 'It says nothing that the result has not said, and no message is open that could show it.',
    },
  ],
  run,
}

async function run(server: SwitchServer): Promise<readonly SwitchRow[]> {
  const ingest = (query: string, body: string | ReadableStream<Uint8Array>) => {
    const url = `${server.origin}/api/ingest?format=event-segments&${query}`
    return fetch(url, { method: 'POST', headers: server.headers, body, duplex: 'half' } as RequestInit)
  }
  let send = (_text: string) => {}
  let close = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text))
      close = () => controller.close()
    },
  })
  const sending = ingest(`threadId=${CHAT}&runId=${RUN}`, body)
  send(sse(FIRST_HALF))
  const { origin, headers } = server
  await until(async () => (await fetch(`${origin}/api/runs/${RUN}`, { headers })).ok, 'the run')

  const page = openPage(server, RUN)
  const draft = () => [...page.drafts.values()].at(-1)
  await until(() => argsOf(draft()) === 2, 'the calls of the first Event')
  const [inTheMiddle, live] = [segmentNames(draft()), await server.thread(CHAT)]
  const reopened = openPage(server, RUN)
  send(sse(SECOND_HALF))
  close()
  await sending
  const later = openPage(server, RUN)
  await until(() => [page, reopened, later].every((each) => each.isComplete()), 'the end of the pages')

  const { chatEvents, runs } = await server.thread(CHAT)
  const stored = [...page.store.values()]
  const folded = chatEvents.map((event) => contentOf(segmentsOf([event])))
  const loaded = await messagesOf(server)
  const imported = await ingest(
    'threadId=harbour-stored&framing=json-lines',
    STORED.map((row) => JSON.stringify(row)).join('\n'),
  )
  if (!imported.ok) throw new Error(await imported.text())
  const before = await server.thread('harbour-stored')
  return [
    same(
      'every frame is understood, but for two hints',
      runs[0]?.raw?.count,
      2,
      'two `tool_complete`, which follow a `tool_result`',
    ),
    same(
      'the draft has the segments in their order while they come',
      inTheMiddle,
      ['reasoning', 'text', 'tool_call', 'tool_call'],
      inTheMiddle.join(', '),
    ),
    holds(
      'the log has them at the same moment',
      live.runs[0]?.state === 'live' && segmentsOf(live.chatEvents).length === 4,
      `${segmentsOf(live.chatEvents).length} segments of a live run`,
    ),
    same('two Events of one request are both stored', stored.length, 2, stored.map(({ id }) => id).join(', ')),
    same(
      'they have the content of the fold, results among it',
      stored.map(({ segments }) => eventContent(segments)),
      folded,
      JSON.stringify(folded[1]),
    ),
    same(
      'a page that was opened in the middle, and one at the end, store the same',
      [reopened, later].map(({ store }) => withoutTimes([...store.values()])),
      [stored, stored].map(withoutTimes),
      `${stored.length} Events each`,
    ),
    same(
      'a page that only stores the Events that are sent whole has them, too',
      [...page.sent.values()].map(({ segments }) => eventContent(segments)),
      folded,
      `${page.sent.size} Events`,
    ),
    same(
      'so does one that loads the conversation',
      loaded.map(({ segments }) => eventContent(segments)),
      folded,
      `${loaded.length} Events`,
    ),
    same('nothing stays a draft', page.drafts.size, 0, 'none'),
    requestRow('the next request has each result directly behind its calls', chatEvents),
    same(
      'the history in its table becomes a conversation',
      segmentsOf(before.chatEvents).map(({ type }) => type),
      ['text', 'tool', 'tool', 'text'],
      'text, tool, tool, text',
    ),
    requestRow('and a request', before.chatEvents),
  ]
}

/** The rule of the document: the results of a message's calls are the first blocks of the next one, one for each. */
function requestRow(promise: string, chatEvents: readonly ChatEvent[]): SwitchRow {
  const { messages } = toAnthropicMessages(chatEvents, { input: { text: 'And tomorrow?' } })
  const blocks = messages.map(({ content }) => (typeof content === 'string' ? [] : content))
  const isKept = blocks.every((content, index) => {
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    const next = (blocks[index + 1] ?? []).slice(0, calls.length)
    return next.map((block) => (block.type === 'tool_result' ? block.tool_use_id : block.type)).join() === calls.join()
  })
  const calls = blocks.flat().filter(({ type }) => type === 'tool_use').length
  const note = messages
    .map(({ role }, index) => `${role}: ${blocks[index]?.map(({ type }) => type).join(', ')}`)
    .join(' · ')
  return holds(promise, isKept && calls === 2, note)
}

async function messagesOf({ origin, headers }: SwitchServer): Promise<readonly Event[]> {
  const response = await fetch(`${origin}/api/threads/${CHAT}?wire=event-segments`, { headers })
  const { messages } = (await response.json()) as { messages: readonly Event[] }
  return messages.filter(({ role }) => role === 'assistant')
}

const argsOf = (event: Event | undefined) =>
  event?.segments.filter((segment) => segment.type === 'tool_call' && Object.keys(segment.args).length > 0).length
const segmentNames = (event: Event | undefined) => event?.segments.map(({ type }) => type) ?? []

/** When a page read something is its own time. */
const withoutTimes = (events: readonly Event[]) =>
  events.map(({ id, segments }) => ({ id, content: eventContent(segments) }))

type Content = readonly (readonly unknown[])[]

/** What an Event says: thoughts and texts, calls with their arguments and results. */
function eventContent(segments: readonly Segment[]): Content {
  return segments.flatMap((segment): Content => {
    if (segment.type === 'text') return [['text', segment.text]]
    if (segment.type === 'reasoning') return [['thought', segment.parts.map(({ text }) => text).join('\n\n')]]
    if (segment.type !== 'tool_call') return []
    const result = segments.find((other) => other.type === 'tool_result' && other.id === segment.id)
    return [
      [
        'call',
        segment.name,
        segment.args,
        result?.type === 'tool_result' ? (result.error ?? result.output) : undefined,
      ],
    ]
  })
}

/** The same of the segments of the fold. */
function contentOf(segments: ReturnType<typeof segmentsOf>): Content {
  return segments.flatMap((segment): Content => {
    if (segment.type === 'text') return [['text', segment.text]]
    if (segment.type === 'reasoning') return [['thought', segment.text]]
    return segment.type === 'tool' ? [['call', segment.name, segment.input, segment.error ?? segment.output]] : []
  })
}
