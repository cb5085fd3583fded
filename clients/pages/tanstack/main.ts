import { ChatClient, fetchServerSentEvents, type UIMessage } from '@tanstack/ai-client'
import { CLIENT_TOOL, type Piece, type PieceState, SEEN } from '../../contract.ts'
import { agent, offer, threadId } from '../address.ts'
import { stoppingFetch } from '../stopping-fetch.ts'

let outputs = 0

const server = fetchServerSentEvents(`/api/ag-ui/${agent}`, { fetchClient: stoppingFetch as never })

/**
 * A run that is joined. At the first text or call the client removes the answer that it has begun to show, even if thoughts of
 * this very stream have begun it; a snapshot before them keeps it from that.
 */
async function* joinRun(runId: string, signal?: AbortSignal) {
  const { messages = [] } = (await server.hydrate?.(threadId)) ?? {}
  yield { type: 'MESSAGES_SNAPSHOT', messages } as never
  yield* server.joinRun(runId, signal)
}

const connection = { ...server, joinRun }
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
await server.hydrate?.(threadId)
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
