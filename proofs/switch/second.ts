import type { Segment } from '@millrace/core/fold'
import { segmentsOf } from './first/page.ts'
import { holds, type SwitchProgram, type SwitchRow, type SwitchServer, same } from './program.ts'
import { CAPTAIN, STOREMAN } from './second/agents.ts'
import { type Bubble, openPage } from './second/page.ts'
import { until } from './until.ts'

const CHAT = 'src-files'

/** The second system: agents and tools as generators, and a page with one stream for a conversation. */
export const second: SwitchProgram = {
  name: 'second',
  title:
    'Agents and tools in code yield their events; one agent calls another. A page opens the stream of its conversation before the first answer, and draws three of them; the last is stopped.',
  files: { 'agents/storeman.ts': STOREMAN, 'agents/captain.ts': CAPTAIN },
  differs: [
    {
      what: 'The stream of a conversation is `GET /api/threads/:id/stream?wire=agent-event&profile=strict`, and a message starts a run of that thread.',
      why: 'The document names no routes. Without the profile the events have more fields, by which the stream can be read back.',
    },
    {
      what: 'A page that goes away stops nothing; `POST /api/runs/:id/stop` does.',
      why: 'A reload would end the run. The signal of the tool fires at the stop.',
    },
    {
      what: 'A run that is stopped ends with `error`.',
      why: 'The union has no event for it.',
    },
    {
      what: 'An agent that is called has its own segments in the fold; on this wire it is the progress of the tool `call-agent`.',
      why: 'So it is in the document, and nothing of it is lost elsewhere.',
    },
  ],
  run,
}

async function run(server: SwitchServer): Promise<readonly SwitchRow[]> {
  const post = (path: string, body: object) => {
    const headers = { ...server.headers, 'content-type': 'application/json' }
    return fetch(`${server.origin}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  await post('threads', { id: CHAT })
  const page = openPage(server, CHAT)
  const later = openPage(server, CHAT)
  const say = async (agent: string, text: string, runId: string) => {
    const answer = await post(`threads/${CHAT}/runs`, { agent, input: { text }, runId })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const isOver = (number: number) => page.bubbles[number]?.end !== undefined
  try {
    await say('storeman', 'What are the files in src?', 'list')
    await until(() => isOver(0), 'the first answer')
    await say('captain', 'Let the storeman fail.', 'ask')
    await until(() => isOver(1), 'the second answer')
    await say('storeman', 'Now wait.', 'wait')
    await until(() => page.bubbles[2]?.cards[0]?.progress.length === 3, 'the tool that waits')
    await post('runs/wait/stop', {})
    await until(() => isOver(2) && later.bubbles.length === 3, 'the end of the stopped run')
  } finally {
    page.close()
    later.close()
  }
  const { chatEvents, runs } = await server.thread(CHAT)
  const [list, ask, wait] = page.bubbles as [Bubble, Bubble, Bubble]
  const shown = ['list', 'ask'].map((runId) => shownOf(segmentsOf(chatEvents.filter((event) => event.runId === runId))))
  const [, failing, unknown] = [undefined, ...ask.cards]
  return [
    same('every event is one of the document, with its fields', [...page.strange], [], '7 types'),
    same(
      'the answers have the thoughts and texts of the fold',
      [drawn(list), drawn(ask)],
      shown,
      JSON.stringify(drawn(list)),
    ),
    same(
      'a tool’s progress is shown in order, as it was yielded',
      list.cards[0]?.progress,
      [
        ...['client\n', 'server\n'].map((content) => ({ subtype: 'stdout_chunk', content })),
        { subtype: 'transfer_progress', percent: 65 },
      ],
      'two chunks and 65 percent',
    ),
    same(
      'its arguments and its result are the texts that it sent',
      [list.cards[0]?.args, list.cards[0]?.output],
      ['{"command":"ls -l src"}', '{"stdout":"client\\nserver\\n","stderr":""}'],
      String(list.cards[0]?.output),
    ),
    same(
      'an agent that is called answers piece by piece, and all of it is the result of the call',
      [failing?.progress, failing?.output],
      [['The folder', ' contains:', ' client and server.'], 'The folder contains: client and server.'],
      String(failing?.output),
    ),
    holds(
      'an agent that there is not is a failed call, and the caller goes on',
      unknown?.isError === true && ask.text === 'Aye.',
      `${unknown?.output} · ${ask.text}`,
    ),
    same('each answer ends once', [list.end, ask.end], ['final', 'final'], 'final, final'),
    holds(
      'a stop ends the tool that waits',
      runs.at(-1)?.outcome === 'cancelled' && wait.end !== 'final',
      `${runs.at(-1)?.outcome}: “${wait.end}”`,
    ),
    same('two pages of the conversation show the same', later.bubbles, page.bubbles, `${page.bubbles.length} answers`),
  ]
}

const drawn = ({ thoughts, text }: Bubble) => ({ thoughts, text })

/** Thoughts and text of an answer's own segments; those of an agent that it called are within the call. */
function shownOf(segments: readonly Segment[]): { readonly thoughts: readonly string[]; readonly text: string } {
  const within = new Set(segments.flatMap((segment) => (segment.type === 'subagent' ? segment.segments : [])))
  const own = segments.filter((segment) => !within.has(segment))
  return {
    thoughts: own.flatMap((segment) => (segment.type === 'reasoning' ? [segment.text] : [])),
    text: own.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join(''),
  }
}
