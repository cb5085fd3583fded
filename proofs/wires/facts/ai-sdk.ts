import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Content } from '@millrace/testkit/content'
import type { UIMessage } from 'ai'
import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/ai-sdk.ts'
import { isQuestion, readAiSdk } from '../readers/ai-sdk.ts'

export const facts: WatchedWire = {
  viewer: { by: 'sse', cuts: 0 },
  opens: ({ type }) => type === 'start',
  ends: ({ type }) => type === 'finish',
  // The client stops reading at an `error` chunk, which is the run's own error and not a fault of the stream.
  publicHalf,
  streamsText: 'always',
  client: async (chunks: readonly Chunk[]) =>
    aiSdkContent(await readAiSdk(chunks.filter(({ type }) => type !== 'error'))),
}

/** What a message of the client holds, as the suites compare it. */
export function aiSdkContent({ parts }: UIMessage): Content {
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    reasonings: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
    tools: parts.flatMap((part) => {
      const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
      if (name === part.type || isQuestion(part)) return []
      const { input, output } = part as { readonly input?: Json; readonly output?: Json }
      return [{ name, input, output }]
    }),
  }
}
