import { brokenOff, PROMPT, SAVED, scenario, TIDE, TODOS, WIND_FAILURE } from './provider/scenario.ts'
import type { Call, Script } from './provider/script.ts'
import type { Provider } from './provider/server.ts'
import { type Recording, record } from './recording.ts'

/** One conversation with a provider's own client. It begins with the prompt. */
export type ClientConversation = {
  /** Sends the conversation so far, adds the answer to it, and returns the tool calls of the answer. */
  readonly ask: (streaming: boolean) => Promise<readonly (Call & { readonly id: string })[]>
  readonly addResults: (results: readonly Result[]) => void
}

export type Result = {
  readonly id: string
  readonly name: string
  readonly output: string
  readonly failed: boolean
}

type Begin = (provider: Provider, tappedFetch: typeof fetch, prompt: string) => ClientConversation

/** Kept, because the recording of one client replaces the global one. */
const realFetch = globalThis.fetch

const MOST_ROUNDS = 10

/** The tools that are offered to the model, as JSON Schema, which every provider's client accepts. */
export const tools = [
  toolOf('get_tide', 'The times of high water.', { harbour: { type: 'string' }, days: { type: 'number' } }),
  toolOf('get_wind', 'The wind at the harbour.', { harbour: { type: 'string' } }),
  toolOf('TodoWrite', 'Writes the list of what is to do.', {
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: { content: { type: 'string' }, status: { type: 'string' }, activeForm: { type: 'string' } },
      },
    },
  }),
]

const script = scenario({ todos: [[{ name: 'TodoWrite', input: { todos: TODOS } }]] })

/** Records the bytes of the responses, one after the other: streamed, not streamed, and ended by an error. */
export async function recordProvider(format: string, begin: Begin): Promise<void> {
  await play(format, 'recorded-streamed.sse', script, (begun) => loop(begun, true))
  await play(format, 'recorded-whole.jsonl', script, (begun) => loop(begun, false))
  // Some clients throw, others return what has arrived: either way the bytes are recorded.
  await play(format, 'recorded-broken-off.sse', brokenOff, (begun) =>
    begun.ask(true).then(
      () => undefined,
      () => undefined,
    ),
  )

  function play(name: string, file: string, played: Script, run: (begun: ClientConversation) => Promise<void>) {
    return record(name, file, played, (recording, { provider }) => run(begin(provider, tappedInto(recording), PROMPT)))
  }
}

async function loop({ ask, addResults }: ClientConversation, streaming: boolean): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const calls = await ask(streaming)
    if (calls.length === 0) return
    addResults(calls.map(({ id, name }) => ({ id, name, ...run(name) })))
  }
  throw new Error('The conversation has too many rounds')
}

function run(name: string): { readonly output: string; readonly failed: boolean } {
  if (name === 'get_wind') return { output: WIND_FAILURE, failed: true }
  return { output: name === 'get_tide' ? TIDE : SAVED, failed: false }
}

const tappedInto =
  (recording: Recording): typeof fetch =>
  async (input, init) => {
    const response = await realFetch(input, init)
    const text = await response.text()
    recording.addText(text.startsWith('{') ? `${text}\n` : text)
    return new Response(text, { status: response.status, headers: response.headers })
  }

function toolOf(name: string, description: string, properties: { readonly [name: string]: object }) {
  return { name, description, parameters: { type: 'object' as const, properties, required: Object.keys(properties) } }
}
