import type { JsonObject } from '@millrace/core/json'
import { describe, expect, it } from 'vitest'
import type { EndpointName } from '../src/agents/endpoints/index.ts'
import { memory } from '../src/log/memory.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { httpAgent } from './http-bench.ts'
import { createProcessBench } from './process-bench.ts'
import { agUiScript } from './services/ag-ui.ts'
import { scripts } from './services/index.ts'
import { createService, type Script } from './services/service.ts'

const names = Object.keys(scripts) as EndpointName[]

describe('what a person sends with a message', () => {
  const file = { id: 'f', mediaType: 'image/png', filename: 'tide.png' }
  const base64 = Buffer.from('a picture').toString('base64')

  it.each(names)('%s: files go to the service as they are', async (name) => {
    const service = await createService(scripts[name]())
    const log = await memory.open({ folder: '' })
    const readFile = async () => new TextEncoder().encode('a picture')
    const runs = createRuns({ log, agents: [httpAgent(name, service.url)], readFile, report: () => undefined })
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'See', files: [file] }, runId: 'r' })
    for await (const _ of log.read('r', { after: 0, live: true }));
    const sent = JSON.stringify(service.asked.map(({ body }) => body))
    expect([sent.includes(base64), sent.includes('image/png')]).toEqual([true, true])
    await runs.close()
  })

  it.each(['ag-ui', 'ai-sdk'] as const)('%s: tools of the client, and then their outputs', async (name) => {
    const service = await createService(callsClient[name])
    const log = await memory.open({ folder: '' })
    const runs = createRuns({ log, agents: [httpAgent(name, service.url)], report: () => undefined })
    const tools = [{ name: 'show_map', description: 'Shows a map.', parameters: { type: 'object', properties: {} } }]
    const ended = async (runId: string) => {
      for await (const entries of log.read(runId, { after: 0, live: true })) {
        const last = entries.at(-1)?.event
        if (last?.type === 'run-end') return last
      }
      return undefined
    }
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Map', client: { tools } }, runId: 'r1' })
    expect(await ended('r1')).toMatchObject({ outcome: 'awaiting-input' })
    const toolOutputs = [{ callId: 'call-m', output: 'Shown.' }]
    await runs.start({
      threadId: 't',
      agent: 'tester',
      input: { text: '', toolOutputs, client: { tools } },
      runId: 'r2',
    })
    expect(await ended('r2')).toMatchObject({ outcome: 'success' })
    expect(JSON.stringify(service.asked[0]?.body.tools)).toContain('show_map')
    const messages = service.asked[1]?.body.messages as readonly JsonObject[]
    expect(JSON.stringify(messages)).toContain('Shown.')
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1)
    await runs.close()
  })
})

const callsClient: { readonly [Name in 'ag-ui' | 'ai-sdk']: Script } = {
  'ag-ui'({ body }, { send }) {
    const { threadId, runId } = body
    const messages = body.messages as readonly JsonObject[]
    send({ type: 'RUN_STARTED', threadId, runId })
    const isFirst = messages.length === 1
    if (isFirst) {
      send({ type: 'TOOL_CALL_START', toolCallId: 'call-m', toolCallName: 'show_map' })
      send({ type: 'TOOL_CALL_END', toolCallId: 'call-m' })
    }
    const outcome = { type: 'success', ...(isFirst && { pendingToolCallIds: ['call-m'] }) }
    send({ type: 'RUN_FINISHED', threadId, runId, outcome })
  },
  'ai-sdk'({ body }, { send }) {
    const messages = body.messages as readonly JsonObject[]
    send({ type: 'start', messageId: 'm' })
    if (messages.length === 1)
      send({ type: 'tool-input-available', toolCallId: 'call-m', toolName: 'show_map', input: {} })
    send({ type: 'finish', finishReason: messages.length === 1 ? 'tool-calls' : 'stop' })
  },
}

describe('secrets of headers', () => {
  const secret = 'sk-very-secret-value'
  const fields = { headers: { authorization: 'Bearer $' + '{SUPPORT_KEY}' }, env: ['SUPPORT_KEY'] }
  const options = { environment: { SUPPORT_KEY: secret } }

  it('reach the service, and stand in no event, whatever the service says (security 19)', async () => {
    const service = await createService(({ headers }, { json }) => json({ error: `Bad ${headers.authorization}` }, 403))
    const agent = httpAgent('any', `${service.url}/run?key=in-the-address`, fields, options)
    const bench = await createProcessBench(agent)
    await bench.start('r')
    const events = JSON.stringify(await bench.ended('r'))
    expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect([events.includes(secret), events.includes('in-the-address')]).toEqual([false, false])
    expect(events).toContain('"headers":["authorization"]')
    expect(events).toContain('Bad Bearer ***')
  })

  it('that are missing make the agent unavailable, by name', () => {
    const agent = httpAgent('any', 'https://agents.example', fields, { environment: {} })
    expect(agent.unavailable?.()).toBe('tester needs the environment variable SUPPORT_KEY.')
  })

  it('that would break a header make it unavailable', () => {
    const agent = httpAgent('any', 'https://agents.example', fields, { environment: { SUPPORT_KEY: 'a\r\nb: c' } })
    expect(agent.unavailable?.()).toContain('no header may have')
  })
})

it.each([
  [200, true],
  [405, true],
  [401, false],
  [403, false],
  [503, false],
])('a check that is answered with status %i says that the service is ready: %s', async (status, isReady) => {
  const service = await createService((_asked, { json }) => json({}, status))
  expect(await httpAgent('ag-ui', service.url).check?.()).toMatchObject({ isReady })
  expect(service.asked.map(({ method }) => method)).toEqual(['GET'])
})

it.each([
  [200, true],
  [204, true],
  [404, false],
])(
  'a route that hides from a GET is asked for its methods: status %i says that it is ready: %s',
  async (status, isReady) => {
    const service = await createService(({ method }, { json }) => json({}, method === 'OPTIONS' ? status : 404))
    expect(await httpAgent('ag-ui', service.url).check?.()).toMatchObject({ isReady })
    expect(service.asked.map(({ method }) => method)).toEqual(['GET', 'OPTIONS'])
  },
)

it('a check of a service that is not there says so', async () => {
  const check = await httpAgent('a2a', 'http://127.0.0.1:1').check?.()
  expect(check).toMatchObject({ isReady: false })
})

it('more runs than its limit are refused, and one that waits for a person counts for none', async () => {
  const service = await createService(agUiScript())
  const bench = await createProcessBench(httpAgent('ag-ui', service.url, { limits: { runs: 1 } }))
  await bench.start('r1', 'ask')
  await bench.seen('r1', ({ type }) => type === 'approval')
  await new Promise((resolve) => setTimeout(resolve, 50))
  await bench.runs.start({ threadId: 'other', agent: 'tester', input: { text: 'wait' }, runId: 'r2' })
  await bench.seen('r2', (event) => 'text' in event && event.text === 'Waiting.')
  await bench.runs.start({ threadId: 'third', agent: 'tester', input: { text: 'Hello' }, runId: 'r3' })
  expect((await bench.ended('r3')).at(-1)).toMatchObject({ error: { code: 'limit' } })
})
