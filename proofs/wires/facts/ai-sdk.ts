import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Content } from '@millrace/testkit/content'
import type { UIMessage } from 'ai'
import * as newest from 'ai'
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/ai-sdk.ts'
import { type AiPackage, isQuestion, readAiSdk, subagentPart } from '../readers/ai-sdk.ts'

const own = {
  opens: ({ type }: Chunk) => type === 'start',
  ends: ({ type }: Chunk) => type === 'finish',
  // The client stops reading at an `error` chunk, which is the run's own error and not a fault of the stream.
  publicHalf,
  streamsText: 'always',
  client: clientOf(newest),
} as const

const isOlder = 'its parts are those of the default, but for questions and denied calls'
const cannotAnswer = 'version 5 has no approvals: the answer comes from elsewhere, and the response goes on'
const isDrawn =
  'it draws statuses, plans and subagents as thoughts: `test/mobox-recordings.test.ts` compares it line by line'

/** What a version of the SDK makes of the chunks. */
function clientOf(ai: AiPackage) {
  return async (chunks: readonly Chunk[]) => {
    const withoutError = chunks.filter(({ type }) => type !== 'error')
    return aiSdkContent(await readAiSdk(withoutError, undefined, ai))
  }
}

export const facts: WatchedWire = {
  ...own,
  viewer: { by: 'sse', cuts: 0 },
  profiles: {
    mobox: { ...own, publicHalf: { none: isDrawn }, client: { none: isDrawn }, streamsText: { none: isDrawn } },
    5: {
      ...own,
      publicHalf: { none: isOlder },
      pauses: { none: cannotAnswer },
      client: clientOf(ai5 as unknown as AiPackage),
    },
    6: { ...own, publicHalf: { none: isOlder }, client: clientOf(ai6 as unknown as AiPackage) },
  },
}

/** What a message of the client holds, as the suites compare it. */
export function aiSdkContent({ parts }: UIMessage): Content {
  const prose = (kind: 'text' | 'reasoning') =>
    parts.map(subagentPart).flatMap((part) => (part.type === kind ? [part.text] : []))
  return {
    texts: prose('text'),
    reasonings: prose('reasoning'),
    tools: parts.flatMap((part) => {
      const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
      if (name === part.type || isQuestion(part)) return []
      const { input, output } = part as { readonly input?: Json; readonly output?: Json }
      return [{ name, input, output }]
    }),
  }
}
