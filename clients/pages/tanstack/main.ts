import type { Message } from '@ag-ui/client'
import { ChatClient, fetchServerSentEvents, modelMessagesToUIMessages, type UIMessage } from '@tanstack/ai-client'
import { CLIENT_TOOL, type Piece, type PieceState, SEEN } from '../../contract.ts'
import { agent, offer, threadId } from '../address.ts'
import { stoppingFetch } from '../stopping-fetch.ts'

type ModelMessage = Parameters<typeof modelMessagesToUIMessages>[0][number]

let outputs = 0

interface Loaded {
  readonly messages: readonly Message[]
  readonly runs: readonly { readonly id: string; readonly state: string }[]
}

/** What this client asks for when its page is loaded: the thread as the server has it, and the run to join. */
async function hydrate() {
  const response = await fetch(`/api/threads/${threadId}?wire=ag-ui`)
  const { messages, runs } = response.ok ? ((await response.json()) as Loaded) : { messages: [], runs: [] }
  const live = runs.find(({ state }) => state !== 'ended')
  return {
    messages: modelMessagesToUIMessages(withThoughts(messages)),
    activeRun: live === undefined ? null : { runId: live.id },
    interrupts: null,
  }
}

/** Thoughts are messages of the protocol, and part of the next message here. */
function withThoughts(messages: readonly Message[]): ModelMessage[] {
  let thoughts: { content: string }[] = []
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'reasoning') {
      thoughts.push({ content: message.content })
      return []
    }
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'tool') return []
    const thinking = message.role === 'assistant' && thoughts.length > 0 ? { thinking: thoughts } : {}
    if (message.role === 'assistant') thoughts = []
    return [{ content: null, ...message, ...thinking, ...failureOf(message) } as ModelMessage]
  })
}

/** A result of the protocol has its failure in the metadata, as its client got it; here it is a field. */
function failureOf(message: Message): { readonly error?: string } {
  const { isError } = (message.metadata ?? {}) as { readonly isError?: boolean }
  return message.role === 'tool' && isError === true ? { error: String(message.content) } : {}
}

const server = fetchServerSentEvents(`/api/ag-ui/${agent}`, { fetchClient: stoppingFetch as never })

/**
 * A run that is joined. At the first text or call the client removes the answer that it has begun to show, even if thoughts of
 * this very stream have begun it; a snapshot before them keeps it from that.
 */
async function* joinRun(runId: string, signal?: AbortSignal) {
  const { messages } = (await (await fetch(`/api/threads/${threadId}?wire=ag-ui`)).json()) as Loaded
  yield { type: 'MESSAGES_SNAPSHOT', messages } as never
  yield* server.joinRun(runId, signal)
}

const connection = { ...server, joinRun, hydrate }
const root = document.getElementById('root') as HTMLElement
let isHydrated = false

const client = new ChatClient({
  threadId,
  connection,
  persistence: true,
  onMessagesChange: draw,
  onFinish: () => void runTools(),
  onError: () => {},
} as never)

/** Runs the client's tool for each call of it that has no result. */
async function runTools(): Promise<void> {
  for (const part of client.getMessages().flatMap(({ parts }) => parts)) {
    if (part.type !== 'tool-call' || part.name !== CLIENT_TOOL || part.output !== undefined || ran.has(part.id))
      continue
    ran.add(part.id)
    outputs++
    await client.addToolResult({ toolCallId: part.id, tool: part.name, output: SEEN })
  }
}
const ran = new Set<string>()

function draw(): void {
  root.textContent = JSON.stringify(pieces())
}

const pieces = (): readonly Piece[] =>
  client.getMessages().flatMap(({ role, parts }) => parts.flatMap((part) => pieceOf(role, part)))

function pieceOf(role: UIMessage['role'], part: UIMessage['parts'][number]): readonly Piece[] {
  if (part.type === 'text') return [{ type: role === 'user' ? 'user' : 'text', text: part.content }]
  if (part.type === 'thinking') return [{ type: 'reasoning', text: part.content }]
  if (part.type !== 'tool-call') return []
  const { name, arguments: input, output, state } = part
  const end = output === undefined ? { state: 'open' as const } : { state: endOf(state), output }
  return [{ type: 'tool', name, input: JSON.parse(input || '{}'), ...end }]
}

const endOf = (state: string): PieceState => (state === 'error' ? 'failed' : 'done')

client.attach()
await hydrate()
isHydrated = true
draw()

const interrupts = () => client.getInterrupts().map(({ id }: { readonly id: string }) => id)

offer({
  send: (text) => void client.sendMessage(text),
  stop: () => client.stop(),
  regenerate: () => void client.reload(),
  answer(answers) {
    const resume = Object.entries(answers).map(([interruptId, approved]) => ({
      interruptId,
      status: 'resolved' as const,
      payload: { approved },
    }))
    void client.resumeInterruptsUnsafe(resume)
  },
  held() {
    const error = client.getError()
    return {
      isBusy: client.getIsLoading() || !isHydrated,
      ...(error !== undefined && { error: error.message }),
      pieces: pieces(),
      questions: client.getIsLoading() ? [] : interrupts(),
      outputs,
    }
  },
})
