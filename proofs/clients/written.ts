import { getWire } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import { type Watch, watch } from '../faults/viewer.ts'
import { wireFacts } from '../wires/facts.ts'
import type { Recorded } from './recorded.ts'
import type { Stage } from './stage.ts'
import { differenceOf, type Trial } from './trial.ts'

/** The wires whose clients were written from their documents alone, with the transport that the documents name. */
const written = {
  'AgentEvent, over SSE': { wire: 'agent-event', by: 'sse' },
  'event + segments, over SSE': { wire: 'event-segments', by: 'sse' },
  'DSAgentRunMessage, over a WebSocket': { wire: 'ds-agent', by: 'websocket' },
} as const satisfies { readonly [client: string]: Pick<Watch, 'wire' | 'by'> }

export const WRITTEN = Object.keys(written)

/** What these clients make of a recording that arrives while they watch. */
export async function writtenTrials(stage: Stage, recorded: Recorded): Promise<readonly Trial[]> {
  const runId = `written-${stage.agentOf(recorded)}`
  const trials = Object.entries(written).map(([client, how]) => trialOf(stage, recorded, runId, client, how))
  const response = await fetch(`${stage.url}/api/ingest?format=${recorded.format}&runId=${runId}`, {
    method: 'POST',
    headers: stage.headers,
    body: recorded.bytes as NonNullable<RequestInit['body']>,
  })
  if (!response.ok) throw new Error(`The recording was refused: ${await response.text()}`)
  return Promise.all(trials)
}

async function trialOf(
  { url, headers }: Stage,
  recorded: Recorded,
  runId: string,
  client: string,
  how: Pick<Watch, 'wire' | 'by'>,
): Promise<Trial> {
  const server = { port: Number(new URL(url).port), token: headers.authorization.replace('Bearer ', '') }
  const { frames } = await watch({ server, runId, ...how })
  const chunks = frames.map(({ data }) => JSON.parse(data) as Chunk)
  const read = wireFacts[how.wire]?.client
  if (typeof read !== 'function') throw new Error(`${how.wire} has no client.`)
  try {
    const content = await read(chunks)
    return { client, refusals: [], differences: differenceOf(content, recorded, getWire(how.wire).losses) }
  } catch (error) {
    return { client, refusals: [String(error)], differences: [] }
  }
}
