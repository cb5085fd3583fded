import type { TextSegment, ToolSegment } from '@millrace/core/fold'
import { segmentsOf } from './first/page.ts'
import { holds, type SwitchProgram, type SwitchRow, type SwitchServer, same } from './program.ts'
import { SURVEY_AGENT } from './third/agent.ts'
import { type Client, openClient, panesOf, type Way } from './third/client.ts'
import { openProxy } from './third/proxy.ts'
import { until } from './until.ts'

const ELSEWHERE = 'http://pages.example:3000'

const SETTINGS = { origins: [ELSEWHERE], sessions: { agents: { react: 'survey' }, profile: 'cumulative' } }

/** The third system: a client of sessions over a WebSocket, which routes messages to its own panes. */
export const third: SwitchProgram = {
  name: 'third',
  title:
    'An agent in Python prints the events of its framework. A client creates a session, connects, asks, and routes what comes to its chat, its editor and its terminal: behind a proxy, with the cookie, and from another origin.',
  files: {
    'agents/survey/agent.yaml': 'title: Survey\nframework: smolagents\nrun: python3 run_agent.py\n',
    'agents/survey/run_agent.py': SURVEY_AGENT,
    'millrace.config.json': JSON.stringify(SETTINGS),
  },
  pictures: {
    'seeds-answer-before.png': 'A run as it was drawn once: an answer as JSON, code as prose, times of 0.0s',
    'seeds-answer-light.png': 'The same today: an answer with its title and source, code within its call',
    'seeds-answer-dark.png': 'The same, dark',
  },
  differs: [
    {
      what: 'A client of another origin adds `?ticket=` and the ticket of its session to the address of its socket: one line.',
      why: 'A browser’s socket carries no token, and cookies are for their own site. Behind a proxy, or with the cookie, nothing changes.',
    },
    {
      what: 'The settings say `sessions.profile: cumulative`, and which agent `react` is.',
      why: 'The document’s deltas are increments; the published client replaces its text with each of them.',
    },
    {
      what: 'The agent is a program that the server starts for a query, and prints its events.',
      why: 'The first server ran it in its own process. Any language may print lines.',
    },
    {
      what: 'An unknown session is 404.',
      why: 'The first server made a new one: a deleted session came back empty.',
    },
  ],
  run,
}

async function run(server: SwitchServer): Promise<readonly SwitchRow[]> {
  const proxy = await openProxy(server.origin, server.headers.authorization)
  const ways: { readonly [name: string]: Way } = {
    'behind a proxy': { origin: proxy.origin, headers: {} },
    'with the cookie': await withCookie(server),
    'from another origin': {
      origin: server.origin,
      headers: { ...server.headers, origin: ELSEWHERE },
      socketHeaders: { origin: ELSEWHERE },
      query: ({ ticket }) => `?ticket=${ticket}`,
    },
  }
  try {
    const clients: Client[] = []
    for (const way of Object.values(ways)) clients.push(await ask(way))
    return await rowsOf(server, clients, Object.keys(ways), ways['behind a proxy'] as Way)
  } finally {
    await proxy.close()
  }
}

async function withCookie({ origin, token }: SwitchServer): Promise<Way> {
  const page = await fetch(`${origin}/?token=${token}`, { redirect: 'manual' })
  const cookie = page.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  return { origin, headers: { cookie }, socketHeaders: { cookie } }
}

/** A session from its creation to its last message. */
async function ask(way: Way): Promise<Client> {
  const client = await openClient(way)
  client.send({ type: 'query', query: 'When may we leave?' })
  await until(() => panesOf(client).answer.title !== undefined, 'the answer')
  client.close()
  return client
}

async function rowsOf(
  server: SwitchServer,
  clients: readonly Client[],
  names: readonly string[],
  way: Way,
): Promise<readonly SwitchRow[]> {
  const [client] = clients as [Client, ...Client[]]
  const panes = panesOf(client)
  const { chatEvents } = await server.thread(client.sessionId)
  const segments = segmentsOf(chatEvents)
  const calls = segments.filter((segment): segment is ToolSegment => segment.type === 'tool')
  const answer = segments.filter((segment): segment is TextSegment => segment.type === 'text').at(-1)?.answer
  const sources = answer?.sources?.map(({ url }) => url)
  const outputs = calls.flatMap(({ output, shownAs }) => (shownAs === undefined ? [String(output)] : []))

  const back = await openClient(way, client.sessionId)
  back.send({ type: 'get_messages', limit: 100 })
  await until(() => back.messages.size >= client.messages.size, 'the history')
  back.close()
  const others = clients.map((each) => JSON.stringify(panesOf(each)))
  const unknown = await fetch(`${server.origin}/api/v2/sessions/none`, { headers: server.headers })
  const { detail } = (await unknown.json()) as { detail?: unknown }
  const stranger = await openClient({ origin: server.origin, headers: {}, socketHeaders: {} }, client.sessionId).then(
    () => 'was let in',
    () => 'was refused',
  )
  return [
    same(`${names.join(', ')}: the panes are the same`, new Set(others).size, 1, `${clients.length} clients`),
    same('the editor has the code of the fold', panes.code, [calls[0]?.input], JSON.stringify(panes.code[0])),
    holds(
      'the terminal has what the calls of the fold gave',
      outputs.every((output, index) => panes.terminal[index]?.includes(output) === true),
      panes.terminal.join(' · '),
    ),
    same(
      'the chat has a badge for each call',
      panes.badges,
      calls.map(({ name }) => name),
      panes.badges.join(', '),
    ),
    same(
      'a title, a text and sources are the answer, as in the fold',
      panes.answer,
      { ...answer, sources },
      JSON.stringify(panes.answer),
    ),
    holds(
      'a plan, thoughts and steps stand before it',
      panes.plan.length === 1 && panes.thoughts.some((text) => text.includes('decides')) && panes.steps.length >= 2,
      `${panes.plan.join('')} · ${panes.steps.join(', ')}`,
    ),
    holds(
      'a text that streams is replaced by a longer one',
      client.growths() > 3,
      client.growths() > 3 ? 'more than three times' : `${client.growths()} times`,
    ),
    same('nothing stays open', panes.open, 0, 'none'),
    same('a client that comes back has the same history', panesOf(back), panes, `${back.messages.size} messages`),
    holds('an error is a sentence in `detail`', unknown.status === 404 && typeof detail === 'string', String(detail)),
    same('a socket without token, cookie or ticket', stranger, 'was refused', stranger),
  ]
}
