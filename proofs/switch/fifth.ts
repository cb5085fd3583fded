import { buildThreadMessages, type ThreadEvent, ThreadProcessor } from '@millrace/core/compat/thread-processor'
import { timelineOf } from '@millrace/core/fold'
import { toOpenAIChat } from '@millrace/core/messages'
import { HISTORY, LOCKKEEPER, MODEL_PIECES } from './fifth/agent.ts'
import { linesOf, shownOf, watch } from './fifth/page.ts'
import { segmentsOf } from './first/page.ts'
import { holds, type SwitchProgram, type SwitchRow, type SwitchServer, same } from './program.ts'

const [CHAT, RUN, OLD] = ['lock', 'lock-1', 'lock-before']

/** The fifth system: thoughts between tags, a processor of stored and streaming messages, and a timeline. */
export const fifth: SwitchProgram = {
  name: 'fifth',
  title:
    'A model writes thoughts between tags into its text, cut anywhere. Its agent emits tokens and clean content, and keeps its thread raw; the processor makes a timeline of what is stored and what streams; the thread of before is read.',
  files: { 'agents/lockkeeper.ts': LOCKKEEPER },
  differs: [
    {
      what: 'The timeline of the fold has thoughts where they came; the processor has those of a message before its text.',
      why: 'The order of arrival is kept everywhere. The processor keeps to its document, so code around it goes on as it is.',
    },
    {
      what: 'A tag in code is text.',
      why: 'The parser of the document takes it for a thought and loses the words behind it.',
    },
    {
      what: 'The next request keeps thoughts between tags only if it is asked to, by `thinkTags`.',
      why: 'Most services advise to leave thoughts out. `buildThreadMessages` gives what is stored, byte for byte.',
    },
    {
      what: 'A pending call is where it was made, not last; a thought without an end has no mark.',
      why: 'docs/compat.md lists what is not followed, because something would be lost or doubled.',
    },
  ],
  run,
}

async function run(server: SwitchServer): Promise<readonly SwitchRow[]> {
  const start = { agent: 'lockkeeper', input: { text: 'Help me.' }, runId: RUN }
  await post(server, `threads/${CHAT}/runs`, JSON.stringify(start))
  const { pieces, wasLive } = await watch(server, RUN)
  const { chatEvents, runs } = await server.thread(CHAT)
  const answer = chatEvents.filter(({ role }) => role === 'assistant')
  const inFold = shownInFold(segmentsOf(answer))

  const raw = MODEL_PIECES.join('')
  const thread = linesOf(server, 'thread') as unknown as readonly ThreadEvent[]
  const stored = storedEvents(thread)
  const notices = linesOf(server, 'notices')
  const clean = String(notices.find(({ type }) => type === 'agent_response_complete')?.content)
  const processor = new ThreadProcessor()
  const processed = processor.processEvents(stored)
  const streaming = { type: 'assistant' as const, content: raw, timestamp: stored[1]?.timestamp as Date }
  const both = processor.buildTimeline(processed, processor.processEphemeralEvents([streaming]))

  await post(
    server,
    `ingest?format=thread-events&threadId=${OLD}`,
    HISTORY.map((event) => JSON.stringify(event)).join('\n'),
  )
  const old = await server.thread(OLD)
  const before = new ThreadProcessor().processThread(storedEvents(HISTORY as readonly ThreadEvent[])).items
  const request = toOpenAIChat(chatEvents, { thinkTags: 'keep', input: { text: 'And then?' } })
  const sent = request.messages.find(({ role }) => role === 'assistant')?.content
  return [
    same('every piece of the model is understood', runs[0]?.raw, undefined, `${MODEL_PIECES.length} pieces`),
    same(
      'after each piece, the processor shows what the fold has',
      pieces.map(({ processor: shown }) => shown),
      pieces.map(({ fold }) => fold),
      pieces.map(({ fold }) => fold.thoughts.length).join(', '),
    ),
    holds('a thought is shown before its message is stored', wasLive, 'shown while the model writes'),
    same('tokens are raw', notices.flatMap(({ token }) => token ?? []).join(''), raw, JSON.stringify(raw)),
    same(
      'the content that is emitted at the end is the text of the fold',
      clean.trim(),
      inFold.text,
      JSON.stringify(clean),
    ),
    same(
      'the timeline of the stored thread has the thoughts and the text of the fold',
      shownOf(processed),
      inFold,
      inFold.thoughts.join(' · '),
    ),
    same(
      'with the same message still streaming, nothing is there twice',
      both.items.length,
      processed.length,
      `${processed.length} items`,
    ),
    same('the same events give the same list', processor.processEvents(stored) === processed, true, 'the very same'),
    same(
      'the next request of the agent has its raw content',
      buildThreadMessages(stored)[1]?.content,
      raw,
      'byte for byte',
    ),
    same('so has one that is made of the log', sent, raw, 'byte for byte'),
    same(
      'the thread of before has the timeline that the processor gives',
      timelineOf(old.chatEvents).map(lineOf),
      before.map(lineOf),
      before.map(({ type }) => type).join(', '),
    ),
  ]
}

async function post({ origin, headers }: SwitchServer, path: string, body: string): Promise<void> {
  const response = await fetch(`${origin}/api/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
}

/** As the system's store gives them: times are `Date`. */
const storedEvents = (events: readonly ThreadEvent[]) =>
  events.map((event) => ({ ...event, timestamp: new Date(event.timestamp) }))

function shownInFold(segments: ReturnType<typeof segmentsOf>) {
  const wordsOf = (type: 'text' | 'reasoning') =>
    segments.flatMap((segment) => (segment.type === type ? [segment.text] : []))
  return { thoughts: wordsOf('reasoning'), text: wordsOf('text').join('').trim() }
}

/** What an item of either timeline says. */
function lineOf(item: object): readonly unknown[] {
  const { type, content, result } = item as {
    type: string
    content?: string
    result?: { output?: unknown; content?: unknown }
  }
  return [type, content ?? result?.output ?? result?.content]
}
