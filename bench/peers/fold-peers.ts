import { loadPeer } from './packages.ts'
import { agUiEvents, aiSdkChunks, assistantChunks, type Protocol, type Wired } from './protocols.ts'
import { lastOf, parsedStream } from './web-streams.ts'

/** Another project's fold, which shows its state after every chunk. */
export interface FoldPeer {
  readonly name: string
  readonly protocol: Protocol
  /** A fold of lines of JSON that gives its last state. */
  load(): Promise<(lines: readonly string[]) => unknown>
}

interface Ai {
  readUIMessageStream(options: { stream: ReadableStream<Wired> }): AsyncIterable<unknown>
}

const aiReader: FoldPeer = {
  name: 'ai readUIMessageStream',
  protocol: aiSdkChunks,
  async load() {
    const { readUIMessageStream } = await loadPeer<Ai>('ai')
    return (lines) => lastOf(readUIMessageStream({ stream: parsedStream(lines) }))
  },
}

interface AiReact {
  readonly Chat: new (options: {
    transport: { sendMessages(): Promise<ReadableStream<Wired>> }
  }) => {
    readonly messages: readonly unknown[]
    readonly error: Error | undefined
    sendMessage(message: { text: string }): Promise<void>
  }
}

/** The state behind `useChat`, without the renders. */
const aiChat: FoldPeer = {
  name: 'ai Chat of useChat',
  protocol: aiSdkChunks,
  async load() {
    const { Chat } = await loadPeer<AiReact>('@ai-sdk/react')
    return async (lines) => {
      const chat = new Chat({ transport: { sendMessages: async () => parsedStream(lines) } })
      await chat.sendMessage({ text: 'go' })
      if (chat.error !== undefined) throw chat.error
      return chat.messages
    }
  },
}

interface Observable {
  subscribe(observer: { next(value: unknown): void; error(reason: unknown): void; complete(): void }): void
}

interface AgUi {
  readonly HttpAgent: new (options: { url: string }) => object
  defaultApplyEvents(input: object, events: Observable, agent: object, subscribers: readonly []): Observable
}

function* parsed(lines: readonly string[]): Generator<Wired> {
  for (const line of lines) yield JSON.parse(line) as Wired
}

const agUi: FoldPeer = {
  name: 'AG-UI defaultApplyEvents',
  protocol: agUiEvents,
  async load() {
    const { HttpAgent, defaultApplyEvents } = await loadPeer<AgUi>('@ag-ui/client')
    const { from } = await loadPeer<{ from(values: Iterable<Wired>): Observable }>('rxjs')
    const input = { threadId: 'thread', runId: 'run', messages: [], state: {}, tools: [], context: [] }
    return (lines) =>
      new Promise((resolve, reject) => {
        let last: unknown
        const next = (value: unknown) => {
          last = value
        }
        const agent = new HttpAgent({ url: 'http://peer.invalid' })
        const states = defaultApplyEvents(input, from(parsed(lines)), agent, [])
        states.subscribe({ next, error: reject, complete: () => resolve(last) })
      })
  },
}

interface AssistantStream {
  readonly AssistantMessageAccumulator: new () => TransformStream<Wired, unknown>
}

const assistantStream: FoldPeer = {
  name: 'assistant-stream accumulator',
  protocol: assistantChunks,
  async load() {
    const { AssistantMessageAccumulator } = await loadPeer<AssistantStream>('assistant-stream')
    return (lines) => lastOf(parsedStream(lines).pipeThrough(new AssistantMessageAccumulator()))
  },
}

interface TanStack {
  readonly StreamProcessor: new (options: {
    events: { onMessagesChange(messages: readonly unknown[]): void }
  }) => { processChunk(chunk: Wired): void; finalizeStream(): void }
}

const tanStack: FoldPeer = {
  name: 'TanStack StreamProcessor',
  protocol: agUiEvents,
  async load() {
    const { StreamProcessor } = await loadPeer<TanStack>('@tanstack/ai')
    return (lines) => {
      let last: readonly unknown[] = []
      const onMessagesChange = (messages: readonly unknown[]) => {
        last = messages
      }
      const processor = new StreamProcessor({ events: { onMessagesChange } })
      for (const chunk of parsed(lines)) processor.processChunk(chunk)
      processor.finalizeStream()
      return last
    }
  },
}

export const foldPeers: readonly FoldPeer[] = [tanStack, assistantStream, aiChat, aiReader, agUi]
