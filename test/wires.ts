import type { Chunk } from '@millrace/core/format/format'
import type { Json } from '@millrace/core/json'
import type { Content } from '@millrace/testkit/content'
import type { WireFacts } from '@millrace/testkit/format-laws'
import type { UIMessage } from 'ai'
import { agUiContent } from './read-ag-ui.ts'
import { readAiSdk } from './read-ai-sdk.ts'

/** What the suites must know of each wire: how a response begins and ends, and who reads it. */
export const wires: { readonly [wire: string]: WireFacts } = {
  native: {
    opens: ({ event }) => typeOf(event) === 'run-start',
    ends: ({ event }) => typeOf(event) === 'run-end',
    client: { none: 'its client is the fold, which has a suite of its own' },
  },
  'ai-sdk': {
    opens: ({ type }) => type === 'start',
    ends: ({ type }) => type === 'finish',
    // The client refuses to read on after an error, which is the run's own word and no fault of the stream.
    client: async (chunks: readonly Chunk[]) =>
      contentOf(await readAiSdk(chunks.filter(({ type }) => type !== 'error'))),
  },
  'ag-ui': {
    opens: ({ type }) => type === 'RUN_STARTED',
    ends: ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
    client: agUiContent,
  },
}

function typeOf(event: Json | undefined): unknown {
  return (event as { readonly type?: unknown } | undefined)?.type
}

function contentOf({ parts }: UIMessage): Content {
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    reasonings: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
    tools: parts.flatMap((part) => {
      const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
      if (name === part.type) return []
      const { input, output } = part as { readonly input?: Json; readonly output?: Json }
      return [{ name, input, output }]
    }),
  }
}
