import type { JsonObject } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { HistoryClient, HistoryFacts } from '@millrace/testkit/history-laws'
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'

export const history: HistoryFacts = { createClient, continues: false }

/** The SDK's own reader of a response, and the list of messages around it. */
function createClient(): HistoryClient {
  let messages: UIMessage[] = []

  function put(message: UIMessage): void {
    const at = messages.findLastIndex(({ id }) => id === message.id)
    messages = at === -1 ? [...messages, message] : messages.with(at, message)
  }

  return {
    load(loaded) {
      messages = loaded as unknown as UIMessage[]
    },
    ask(id, text) {
      messages = [...messages, { id, role: 'user', parts: [{ type: 'text', text }] }]
    },
    // The output is part of the message, and the response repeats it.
    output() {},
    async read(groups, note) {
      const first = groups.flat().find(({ type }) => type === 'start')
      const continued = messages.find(({ id }) => id === first?.messageId)
      const errors: unknown[] = []
      const stream = steppedStream(groups, note)
      const options = { stream, onError: (error: unknown) => void errors.push(error) }
      const message = structuredClone(continued)
      for await (const next of readUIMessageStream(message === undefined ? options : { ...options, message })) put(next)
      if (errors.length > 0) throw errors[0]
    },
    messages: () => messages.map(withoutGuess) as unknown as JsonObject[],
  }
}

/** The chunks one by one: the next is given when the client has drawn the one before. */
function steppedStream(groups: readonly (readonly Chunk[])[], note: (group: number) => void) {
  const chunks = groups.flatMap((group, index) =>
    group.filter(({ type }) => type !== 'error').map((chunk) => ({ chunk, index })),
  )
  let noted = 0
  let at = 0
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve))
        const next = chunks[at++]
        // Every group before that of the next chunk has been read, also those without chunks.
        while (noted < (next?.index ?? groups.length)) note(noted++)
        if (next === undefined) controller.close()
        else controller.enqueue(next.chunk as unknown as UIMessageChunk)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Of an input that is still streaming only the text is compared: the client guesses its value. */
function withoutGuess({ parts, ...message }: UIMessage): object {
  return {
    ...message,
    parts: parts.map((part) => {
      if (part.type !== 'dynamic-tool' || part.state !== 'input-streaming') return part
      const { input: _guess, ...rest } = part
      return rest
    }),
  }
}
