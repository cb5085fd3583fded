import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RESEARCH_AGENT } from './first/agent.ts'
import { blocksOf, callsOf, loadMessages, openPage, segmentsOf, textOf, usageOf } from './first/page.ts'
import { holds, type SwitchProgram, type SwitchRow, type SwitchServer, same } from './program.ts'
import { until } from './until.ts'

const CHAT = 'harbour-chat'

/** The first system: agents in Python that print lines, and a page of the AI SDK that draws reasoning by its variant. */
export const first: SwitchProgram = {
  name: 'first',
  title:
    'An agent in Python prints its lines. A page with the AI SDK’s chat draws processing, thinking, calls and text; it is reloaded in mid-answer, and again at the end.',
  files: {
    'agents/researcher/agent.yaml': 'title: Researcher\nframework: deepagents\nrun: python3 run_agent.py\n',
    'agents/researcher/run_agent.py': RESEARCH_AGENT,
  },
  pictures: {
    'seeds-totals-before.png':
      'The printed example as it was drawn once: a fifth of its tokens, no time, the search outside of its subagent',
    'seeds-totals-light.png': 'The same today: all tokens, cost, turns and time; the search within its subagent',
    'seeds-totals-dark.png': 'The same, dark',
  },
  differs: [
    {
      what: 'The page names the profile `mobox`, in a header or in the address.',
      why: 'Without it statuses, todo lists and subagents are data parts, as pages of others expect them.',
    },
    {
      what: 'A loaded message has its blocks as they came, not one block of processing, one of thinking and the text.',
      why: 'The order of arrival is kept, so that a reload changes nothing. The stored row has the document’s order.',
    },
    {
      what: 'No frame `done`; tool frames have `toolCallId` and `toolName`, an error `errorText`, usage `data`.',
      why: 'The published client ends the stream at the printed form; docs/wires/mobox.md has every line.',
    },
    {
      what: 'The task of a run comes on stdin.',
      why: 'The document does not say how a sandbox hands it over. An agent that does not read stdin leaves it.',
    },
  ],
  run,
}

const PROCESSING = ['Research agent starting...', 'Planning: 2 tasks', 'Completed: Find the tide table']
const TOTALS = { inputTokens: 5000, outputTokens: 2500, durationMs: 45_000, turns: 12 }

async function run(server: SwitchServer): Promise<readonly SwitchRow[]> {
  const page = openPage(server, CHAT, [])
  const sending = page.sendMessage({ text: 'When does the harbour dry out?' })
  await until(() => textOf(page).includes('low water'), 'the first half of the answer')

  const reloaded = openPage(server, CHAT, await loadMessages(server, CHAT))
  const resuming = reloaded.resumeStream()
  await until(() => textOf(reloaded).includes('low water'), 'the first half after the reload')
  const inTheMiddle = reloaded.messages.map(({ role }) => role)
  writeFileSync(join(server.folder, 'agents/researcher/go'), '')
  await Promise.all([sending, resuming])

  const later = openPage(server, CHAT, await loadMessages(server, CHAT))
  const { chatEvents, runs } = await server.thread(CHAT)
  const segments = segmentsOf(chatEvents)
  const text = segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('')
  const calls = segments.flatMap((segment) => (segment.type === 'tool' ? [[segment.name, segment.output]] : []))
  const held = [page, reloaded, later].map(({ messages }) => JSON.stringify(messages.at(-1)?.parts))
  const linesOf = (variant: string) =>
    blocksOf(later).flatMap((block) => (block.variant === variant ? block.lines : []))
  const { usage, raw } = runs[0] ?? {}
  return [
    same('every line of the agent is understood', raw, undefined, 'no line is kept as raw'),
    same('a reload in mid-answer shows the question and the answer so far', inTheMiddle, ['user', 'assistant'], 'both'),
    holds(
      'the page that stayed and those that were reloaded hold the same parts',
      new Set(held).size === 1,
      new Set(held).size === 1 ? `${later.messages.at(-1)?.parts.length} parts` : held.join(' ≠ '),
    ),
    same('its text is the text of the fold', textOf(later), text, JSON.stringify(text)),
    same('its calls and their outputs are those of the fold', callsOf(later), calls, `${calls.length} call`),
    same('processing has the statuses and the todo lists', linesOf('processing'), PROCESSING, PROCESSING.join(' · ')),
    holds(
      'thinking has the thoughts, and what the subagent does',
      ['One table is enough.', 'Now the answer.'].every((line) => linesOf('thinking').includes(line)),
      linesOf('thinking').join(' · '),
    ),
    same('the thread has the totals that the agent reported', usage, TOTALS, JSON.stringify(TOTALS)),
    same(
      'so has the page',
      usageOf(later),
      { inputTokens: 5000, outputTokens: 2500, isTotal: true, durationMs: 45_000, numTurns: 12 },
      JSON.stringify(usageOf(later)),
    ),
  ]
}
