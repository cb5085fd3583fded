import { type ChatEvent, createFold } from '@millrace/core/fold'
import {
  type MessageOptions,
  toAnthropicMessages,
  toGemini,
  toModelMessages,
  toOpenAIChat,
  toOpenAIResponses,
  withFiles,
} from '@millrace/core/messages'
import { parsers } from '@millrace/core/parse'
import type { Run } from '@millrace/testkit/fold-laws'
import { providerRules, refusalsOf } from '@millrace/testkit/provider-rules'
import type { RequestFacts } from '@millrace/testkit/provider-rules/rule'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

/** A picture of one point: it stands for every file. */
const load = () => Promise.resolve({ bytes: 'iVBORw0KGgo=' })

/** The requests of one history, files loaded, to every target. */
async function requestsOf(chatEvents: readonly ChatEvent[], options: MessageOptions) {
  return [
    await withFiles(toAnthropicMessages(chatEvents, options), load),
    await withFiles(toOpenAIChat(chatEvents, options), load),
    await withFiles(toOpenAIResponses(chatEvents, options), load),
    await withFiles(toGemini(chatEvents, options), load),
    await withFiles(toModelMessages(chatEvents, options), load),
  ]
}

const input = { text: 'Go on.' }

/** What a history may be asked for: as it is, by the model that began it, and as services of their own rules take it. */
function optionsFor(chatEvents: readonly ChatEvent[]): readonly (MessageOptions & Omit<RequestFacts, 'chatEvents'>)[] {
  const model = chatEvents.find((chatEvent) => chatEvent.model !== undefined)?.model
  const named = model === undefined ? {} : { model }
  return [
    { input },
    { input, ...named, vendor: 'deepseek' },
    { input, model: 'gemini-3-pro-preview', vendor: 'mistral', thinkTags: 'keep' },
    { input, lastTurns: 1, vendor: 'groq' },
  ]
}

async function refusalsIn(chatEvents: readonly ChatEvent[]): Promise<readonly string[]> {
  const refusals: string[] = []
  for (const options of optionsFor(chatEvents))
    for (const request of await requestsOf(chatEvents, options))
      refusals.push(...refusalsOf(request, { chatEvents, ...options }).map((why) => `${request.target} ${why}`))
  return refusals
}

/** The history after each of these entries, the last one among them. */
function historiesOf({ entries }: Run, cuts: number): readonly (readonly ChatEvent[])[] {
  const fold = createFold({ runId: 'run' })
  const every = Math.max(1, Math.ceil(entries.length / cuts))
  return entries.flatMap((entry, index) => {
    fold.push([entry])
    return index % every === 0 || index === entries.length - 1 ? [fold.snapshot().chatEvents] : []
  })
}

async function refusedOf(runs: readonly Run[], cuts: number): Promise<readonly string[]> {
  const refused: string[] = []
  for (const run of runs)
    for (const chatEvents of historiesOf(run, cuts))
      refused.push(...(await refusalsIn(chatEvents)).map((why) => `${run.name}: ${why}`))
  return [...new Set(refused)]
}

/** Formats in which a provider itself speaks: each of their recordings is cut often. */
const PROVIDERS = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini', 'claude-agent-sdk', 'ai-sdk']

describe('the rules of the providers', () => {
  it('have 43 ids, each once', () => {
    const ids = Object.values(providerRules).flatMap((rules) => rules.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(43)
  })

  for (const [name, parser] of Object.entries(parsers)) {
    it(`S3-47: no request made of a recording of ${name} breaks one, wherever the run was cut`, async () => {
      const runs = fixturesOf(name).map((recording) => recordedRun(parser, recording))
      expect(await refusedOf(runs, PROVIDERS.includes(name) ? 12 : 2)).toEqual([])
    }, 120_000)
  }

  it('S3-47: no request made of a generated run breaks one, wherever the run was cut', async () => {
    expect(await refusedOf(generatedRuns(40, 1), Number.POSITIVE_INFINITY)).toEqual([])
  }, 120_000)
})

describe('the rules of the providers, over the corpus', () => {
  for (const name of PROVIDERS) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) it.skip(`are kept by every request: ${corpus.absent}`, () => {})
    else
      it(`are kept by every request made of a recording of ${name}`, async () => {
        const parser = parsers[name as keyof typeof parsers]
        expect(
          await refusedOf(
            corpus.recordings.map((recording) => recordedRun(parser, recording)),
            3,
          ),
        ).toEqual([])
      }, 600_000)
  }
})
