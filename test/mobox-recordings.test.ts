import { messageRow } from '@millrace/core/fold/message-row'
import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { aiSdkChunks, readAiSdk } from '../proofs/wires/readers/ai-sdk.ts'
import { aiSdkFaults } from './ai-sdk-grammar.ts'

const held = new Map<readonly StreamEvent[], Promise<UIMessage>>()

/** What the client holds of a run. An error chunk is the run's own error, not a fault of the stream. */
function read(events: readonly StreamEvent[]): Promise<UIMessage> {
  const message = held.get(events) ?? readAiSdk(aiSdkChunks(events, 'mobox').filter(({ type }) => type !== 'error'))
  held.set(events, message)
  return message
}

/** The joined texts of all parts of a kind. */
function shown({ parts }: UIMessage, kind: 'text' | 'processing' | 'thinking'): string {
  const texts = parts.flatMap((part) => {
    const variant = part.type === 'reasoning' ? part.providerMetadata?.mobox?.variant : part.type
    return variant === kind && 'text' in part ? [part.text] : []
  })
  return texts.join(kind === 'text' ? '' : '\n')
}

/** The stored row contains neither retracted messages nor what a subagent returned to its caller. */
const isStoredOtherwise = (event: StreamEvent) =>
  event.type === 'message-retract' || (event.type === 'block-patch' && event.text !== undefined)
const isSubagentText = (event: StreamEvent) =>
  event.type === 'block-start' && event.kind === 'text' && event.agentId !== undefined

/** Reasoning that a text interrupts continues in another block: the words are the same, not the lines. */
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

describe.each(Object.entries(parsers) as [string, Parser][])('%s in the mobox profile', (name, parser) => {
  const runs = fixturesOf(name).map((recording) => [recording.name, eventsOf(parser, recording.records)] as const)

  it('S0-5, S0-6, S0-27, S0-28: is accepted by the client, recording by recording', async () => {
    for (const [recording, events] of runs) {
      expect([recording, aiSdkFaults(aiSdkChunks(events, 'mobox'))]).toEqual([recording, []])
      await expect(read(events), recording).resolves.toMatchObject({ id: 'run', role: 'assistant' })
    }
  })

  it('S0-92, S0-93, S0-94, S0-95, S0-100: shows live what the stored row holds', async () => {
    for (const [recording, events] of runs.filter(([, all]) => !all.some(isStoredOtherwise))) {
      const message = await read(events)
      const { content, metadata } = messageRow(entriesOf(events))
      expect([recording, shown(message, 'text')]).toEqual([recording, content])
      expect(wordsOf(shown(message, 'processing')), recording).toEqual(wordsOf((metadata.processing ?? []).join('\n')))
      if (events.some(isSubagentText)) continue
      expect(wordsOf(shown(message, 'thinking')), recording).toEqual(wordsOf(metadata.thinking ?? ''))
    }
  })
})
