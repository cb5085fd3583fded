import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Agent, AgentHost, AgentRequest } from '@millrace/server/run/agent'
import { createServer } from '@millrace/server/server'
import { openStore } from '../../packages/millrace/src/store.ts'

/** A node as `millrace serve` makes it, with agents that print what they hear, one line each: `RUN what`. */

const { MILLRACE_DATA: data = '', MILLRACE_TOKEN: token = '', MILLRACE_DATABASE_URL, MILLRACE_REDIS_URL } = process.env
/** An agent that nobody stops ends by itself. */
const MOST_MS = 120_000

const print = (line: string) => writeSync(1, `${line}\n`)
const encoder = new TextEncoder()

function agent(
  name: string,
  script: (request: AgentRequest, host: AgentHost) => AsyncIterable<object>,
  abilities: Pick<Agent, 'can'> = {},
): Agent {
  return {
    name,
    title: name,
    format: 'ai-sdk',
    framing: 'json-lines',
    ...abilities,
    async *run(request, host) {
      yield encoder.encode(`${JSON.stringify({ type: 'start', messageId: `message of ${request.runId}` })}\n`)
      for await (const record of script(request, host)) yield encoder.encode(`${JSON.stringify(record)}\n`)
      yield encoder.encode(`${JSON.stringify({ type: 'finish' })}\n`)
    },
  }
}

const speech = (id: string, delta: string) => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]

const asking = agent('asking', async function* ({ runId }, host) {
  const { state } = await host.ask({ message: 'May I?' })
  print(`${runId} ${state}`)
  yield* speech('t', `It is ${state}.`)
})

/** Works until it is stopped. */
const working = agent('working', async function* ({ runId, signal }) {
  yield* speech('t', 'Working.')
  await setTimeout(MOST_MS, undefined, { signal }).catch(() => print(`${runId} stopped`))
})

/** Reads messages until one of them is "Enough." */
const listening = agent(
  'listening',
  async function* ({ runId }, host) {
    yield* speech('t', 'Listening.')
    for await (const { messageId, text } of host.messages()) {
      print(`${runId} ${text}`)
      yield* speech(messageId, `Heard: ${text}`)
      if (text === 'Enough.') return
    }
  },
  { can: { steer: true } },
)

/** Cannot be steered: messages wait until it has been answered. */
const busy = agent('busy', async function* ({ runId, input: { text } }, host) {
  print(`${runId} ${text}`)
  if (text === 'Go') await host.ask({ message: 'May I end?' })
  yield* speech('t', 'Done.')
})

/** Leaves a call to the client, and says what it gets. */
const wondering = agent('wondering', async function* ({ runId, input: { toolOutputs = [] } }) {
  for (const { output } of toolOutputs) print(`${runId} ${JSON.stringify(output)}`)
  if (toolOutputs.length === 0) yield { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: {} }
  else yield* speech('t', 'Seen.')
})

const store = await openStore(
  {
    data,
    databaseUrl: MILLRACE_DATABASE_URL,
    redisUrl: MILLRACE_REDIS_URL,
  },
  ({ message }) => process.stderr.write(`${message}\n`),
)
const { url } = await createServer({
  log: store.log,
  ...(store.files && { files: store.files }),
  agents: [asking, working, listening, busy, wondering],
  dataFolder: data,
  port: 0,
  token,
})
print(`${url}/?token=${token}`)
