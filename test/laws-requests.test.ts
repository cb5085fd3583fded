import { parsers } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { historiesOf, judgedRequests } from '@millrace/testkit/request-laws'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { createRequestTypes } from '../proofs/laws/request-types.ts'

/** Formats in which a provider itself speaks; `npm run laws -- requests` tries all, and every cut. */
const PROVIDERS = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const

describe('the messages of the next request', () => {
  it('S3-47: fit the types of each provider’s own library, whatever recording they are made of', async () => {
    const types = createRequestTypes()
    const recorded = PROVIDERS.flatMap((format) =>
      fixturesOf(format).map((recording) => recordedRun(parsers[format], recording)),
    )
    for (const run of [...recorded, ...generatedRuns(20, 1)])
      for (const chatEvents of historiesOf(run, 1))
        for (const judged of await judgedRequests(chatEvents)) types.add(run.name, judged)
    for (const target of types.targets) {
      expect(types.count(target)).toBeGreaterThan(10)
      expect(types.refused(target)).toEqual([])
    }
  }, 300_000)

  it('do not fit if a field is too many, missing, or of another type', async () => {
    const request = (message: object) =>
      ({ request: { target: 'openai-responses', messages: [message] }, vendor: undefined, refusals: [] }) as never
    const types = createRequestTypes()
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }
    for (const [name, shape] of Object.entries({
      right: message,
      'one too many': { ...message, note: 'x' },
      'one missing': { type: 'message', role: 'user', content: [{ type: 'input_text' }] },
      'of another type': { ...message, role: 'tool' },
    }))
      types.add(name, request(shape))
    expect(types.refused('openai-responses').map((sentence) => sentence.split(':')[0])).toEqual([
      'one too many',
      'one missing',
      'of another type',
    ])
  }, 60_000)
})
