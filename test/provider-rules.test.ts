import { parsers } from '@millrace/core/parse'
import type { Run } from '@millrace/testkit/fold-laws'
import { providerRules } from '@millrace/testkit/provider-rules'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { historiesOf, judgedRequests } from '@millrace/testkit/request-laws'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

async function refusedOf(runs: readonly Run[], cuts: number): Promise<readonly string[]> {
  const refused: string[] = []
  for (const run of runs)
    for (const chatEvents of historiesOf(run, cuts))
      for (const { request, refusals } of await judgedRequests(chatEvents))
        refused.push(...refusals.map((why) => `${run.name}: ${request.target} ${why}`))
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
