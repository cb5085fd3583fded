import type { JsonObject } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { HistoryClient, HistoryFacts } from '@millrace/testkit/history-laws'
import type { UIMessage, UIMessageChunk } from 'ai'
import * as newest from 'ai'
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import type { AiPackage } from '../readers/ai-sdk.ts'

export const history: HistoryFacts = { createClient, continues: false }

/** The version of the SDK that a profile is for. */
const versions: { readonly [profile: string]: AiPackage } = {
  5: ai5 as unknown as AiPackage,
  6: ai6 as unknown as AiPackage,
}

/** The SDK's own reader of a response, and the list of messages around it. */
function createClient(profile = ''): HistoryClient {
  const { readUIMessageStream } = versions[profile] ?? newest
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
    messages: () => messages.map((message) => comparable(message, profile)) as unknown as JsonObject[],
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
        // A copy: the SDK keeps the chunk of a data part, and writes later data into it.
        else controller.enqueue(structuredClone(next.chunk) as unknown as UIMessageChunk)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * The fields of each part, and of its approval, that an earlier version does not have. They are loaded all the same, because
 * such a client does not look for them.
 */
const newer: { readonly [profile: string]: { readonly [part: string]: readonly string[] } } = {
  5: {
    file: ['providerMetadata'],
    'dynamic-tool': ['title', 'callProviderMetadata', 'resultProviderMetadata', 'providerExecuted'],
  },
  6: { approval: ['requestReason', 'descriptor'] },
}

/** Of an input that is still streaming only the text is compared: the client guesses its value. */
function comparable({ parts, ...message }: UIMessage, profile: string): object {
  const own = (type: string, fields: object) => {
    const isNewer = (field: string) => newer[profile]?.[type]?.includes(field) === true
    return Object.fromEntries(Object.entries(fields).filter(([field]) => !isNewer(field)))
  }
  return {
    ...message,
    parts: parts.map((part) => {
      const { input, approval, ...rest } = own(part.type, part)
      const isGuess = rest.type === 'dynamic-tool' && rest.state === 'input-streaming'
      return {
        ...rest,
        ...(!isGuess && { input }),
        ...(approval !== undefined && { approval: own('approval', approval) }),
      }
    }),
  }
}
