import type { Agent, AgentHost, AgentRequest } from '@millrace/server/run/agent'
import { CLIENT_TOOL } from '../../../clients/contract.ts'
import { tour } from './tour.ts'

/** What the scripted agents wait for, and what they have been asked. */
export interface Script {
  /** Lets the slow agent finish its answer in this thread. */
  goOn(threadId: string): void
}

type Lines = AsyncIterable<object>

/** Agents with one behaviour each. The clients' scenes name them. */
export function createAgents(): { readonly agents: readonly Agent[]; readonly script: Script } {
  const gates = new Map<string, PromiseWithResolvers<void>>()

  function gateOf(threadId: string): PromiseWithResolvers<void> {
    const gate = gates.get(threadId) ?? Promise.withResolvers<void>()
    gates.set(threadId, gate)
    return gate
  }

  /** Says half of its answer, and the rest when it may. */
  async function* slow({ threadId, signal }: AgentRequest): Lines {
    yield thinking('Nothing hurries.')
    yield text('The first half')
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([gateOf(threadId).promise, stopped])
    if (signal.aborted) return
    yield text(' and the second.')
    yield done
  }

  const agents = [
    scripted('echo', echo),
    scripted('tools', tools),
    scripted('asks', asks),
    scripted('two', two),
    scripted('slow', slow),
    scripted('fails', fails),
    scripted('looks', looks, 'ai-sdk'),
    scripted('tour', tour),
  ]
  return { agents, script: { goOn: (threadId) => gateOf(threadId).resolve() } }
}

/** Repeats the question, and says how much it has heard before. */
async function* echo({ input, history }: AgentRequest): Lines {
  yield text(`After ${history.length}: `)
  yield text(`${input.text}.`)
  yield done
}

/** Uses two tools, one of which fails, between thoughts and text. */
async function* tools(): Lines {
  yield thinking('Wood first.')
  yield text('I look at the wheel.')
  yield call('c1', 'measure')
  yield result('c1', 'Three paddles are rotten')
  yield call('c2', 'replace')
  yield failure('c2', 'No wood is left')
  yield text('We need wood.')
  yield done
}

/** Asks before its call, and goes on however it is answered. */
async function* asks(_request: AgentRequest, host: AgentHost): Lines {
  yield text('May I?')
  yield call('c1', 'repair')
  const { state } = await host.ask({ callId: 'c1', message: 'May I repair it?' })
  yield state === 'approved' ? result('c1', 'It turns') : failure('c1', 'Not allowed')
  yield text(`That was ${state}.`)
  yield done
}

/** Asks about two calls at once. */
async function* two(_request: AgentRequest, host: AgentHost): Lines {
  yield text('Two things.')
  yield call('c1', 'repair')
  yield call('c2', 'paint')
  const [first, second] = await Promise.all([
    host.ask({ callId: 'c1', message: 'May I repair it?' }),
    host.ask({ callId: 'c2', message: 'May I paint it?' }),
  ])
  yield first.state === 'approved' ? result('c1', 'It turns') : failure('c1', 'Not allowed')
  yield second.state === 'approved' ? result('c2', 'It shines') : failure('c2', 'Not allowed')
  yield text(`The first was ${first.state}, the second ${second.state}.`)
  yield done
}

/** Fails in the middle of its answer. */
async function* fails(): Lines {
  yield text('I begin,')
  throw new Error('The wheel broke.')
}

/** Calls the tool of the client, with one call id in every run, and says what it has seen. */
async function* looks({ input }: AgentRequest): Lines {
  yield { type: 'start' }
  if (input.toolOutputs === undefined) {
    const client = { dynamic: true, providerMetadata: { millrace: { runBy: 'client' } } }
    yield {
      type: 'tool-input-available',
      toolCallId: 'look-1',
      toolName: CLIENT_TOOL,
      input: { at: input.text },
      ...client,
    }
    yield { type: 'finish', finishReason: 'tool-calls' }
    return
  }
  yield { type: 'text-start', id: 't1' }
  const seen = input.toolOutputs.map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)))
  yield { type: 'text-delta', id: 't1', delta: `I see ${seen.join(' and ')}.` }
  yield { type: 'text-end', id: 't1' }
  yield { type: 'finish', finishReason: 'stop' }
}

const thinking = (content: string) => ({ type: 'thinking', data: { content } })
const text = (content: string) => ({ type: 'text', data: { content } })
const call = (id: string, name: string) => ({ type: 'tool_use', data: { id, name, input: { part: 'wheel' } } })
const result = (id: string, content: string) => ({ type: 'tool_result', data: { tool_use_id: id, content } })
const failure = (id: string, content: string) => ({
  type: 'tool_result',
  data: { tool_use_id: id, content, is_error: true },
})
const done = { type: 'done', data: {} }

function scripted(
  name: string,
  lines: (request: AgentRequest, host: AgentHost) => Lines,
  format: 'agent-lines' | 'ai-sdk' = 'agent-lines',
): Agent {
  const encoder = new TextEncoder()
  return {
    name,
    title: name,
    format,
    framing: 'json-lines',
    async *run(request, host) {
      for await (const line of lines(request, host)) yield encoder.encode(`${JSON.stringify(line)}\n`)
    },
  }
}
