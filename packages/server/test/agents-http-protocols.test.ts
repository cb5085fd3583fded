import { isJsonObject } from '@millrace/core/json'
import { describe, expect, it } from 'vitest'
import type { EndpointName } from '../src/agents/endpoints/index.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import type { Agent } from '../src/run/agent.ts'
import { answerApproval } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { httpAgent } from './http-bench.ts'
import { createProcessBench } from './process-bench.ts'
import { recoverAfterCrash, timeOfLogs } from './run-parts.ts'
import { scripts } from './services/index.ts'
import { langgraphScript } from './services/langgraph.ts'
import { createService } from './services/service.ts'

const names = Object.keys(scripts) as EndpointName[]

const texts = (events: readonly object[]) =>
  events
    .flatMap((event) => ('type' in event && event.type === 'block-delta' && 'text' in event ? [event.text] : []))
    .join('')

describe('an answer that broke off is continued where the service can', () => {
  const working = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }
  const artifact = (text: string, append = false) => ({
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append },
  })
  const done = { statusUpdate: { ...working, status: { state: 'TASK_STATE_COMPLETED' } } }
  const task = (text: string, state: string) => ({
    id: 't',
    contextId: 'c',
    status: { state },
    artifacts: [{ artifactId: 'a', parts: [{ text }] }],
  })

  it('a2a: by subscribing to the task, and no text comes twice', async () => {
    const service = await createService(async ({ body }, { send, raw }) => {
      const reply = (result: object) => send({ jsonrpc: '2.0', id: body.id, result })
      if (body.method === 'SubscribeToTask') {
        reply({ task: task('Leave at ', 'TASK_STATE_WORKING') })
        reply(artifact('noon.', true))
        return reply(done)
      }
      reply({ statusUpdate: working })
      reply(artifact('Leave '))
      await new Promise((resolve) => setTimeout(resolve, 20))
      raw.destroy()
    })
    const bench = await createProcessBench(httpAgent('a2a', service.url))
    await bench.start('r')
    const events = await bench.ended('r')
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
    expect(texts(events)).toBe('GoLeave at noon.')
    expect(service.asked.map(({ body }) => body.method)).toEqual(['SendStreamingMessage', 'SubscribeToTask'])
  })

  it('a2a: by asking for the task, if it has ended meanwhile', async () => {
    const service = await createService(({ body }, { send, json }) => {
      const { id, method } = body
      if (method === 'GetTask')
        return json({ jsonrpc: '2.0', id, result: task('Leave at noon.', 'TASK_STATE_COMPLETED') })
      if (method === 'SubscribeToTask')
        return json({ jsonrpc: '2.0', id, error: { code: -32004, message: 'It has ended' } })
      // The answer ends before its task.
      send({ jsonrpc: '2.0', id, result: { statusUpdate: working } })
      send({ jsonrpc: '2.0', id, result: artifact('Leave ') })
    })
    const bench = await createProcessBench(httpAgent('a2a', service.url))
    await bench.start('r')
    const events = await bench.ended('r')
    expect([texts(events), events.at(-1)]).toMatchObject(['GoLeave at noon.', { outcome: 'success' }])
    expect(JSON.stringify(events)).not.toContain('It has ended')
  })

  it('langgraph: behind the last event that came whole', async () => {
    const chunk = (content: string) => [{ type: 'AIMessageChunk', id: 'm', content }, { langgraph_node: 'model' }]
    const service = await createService(async ({ method, path }, { send, json, raw }) => {
      if (path === '/threads') return json({ thread_id: 'th' })
      if (method === 'GET') return send(chunk('noon.'), 'messages', '3')
      send({ run_id: 'run 1' }, 'metadata', '1')
      send(chunk('Leave at '), 'messages', '2')
      raw.write('event: messages\nid: 3\ndata: [{"type":"AIMess')
      await new Promise((resolve) => setTimeout(resolve, 20))
      raw.destroy()
    })
    const bench = await createProcessBench(httpAgent('langgraph', service.url))
    await bench.start('r')
    const events = await bench.ended('r')
    expect(texts(events)).toBe('GoLeave at noon.')
    const rejoined = service.asked.at(-1)
    expect([rejoined?.path, rejoined?.headers['last-event-id']]).toEqual(['/threads/th/runs/run%201/stream', '2'])
  })

  it('but not for ever', async () => {
    const service = await createService(async ({ path }, { send, json, raw }) => {
      if (path === '/threads') return json({ thread_id: 'th' })
      if (path.endsWith('/runs/stream')) send({ run_id: 'run-1' }, 'metadata', '1')
      else raw.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      await new Promise((resolve) => setTimeout(resolve, 5))
      raw.destroy()
    })
    const bench = await createProcessBench(httpAgent('langgraph', service.url))
    await bench.start('r')
    expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'error', error: { code: 'broken-off' } })
    expect(service.asked).toHaveLength(5)
  })
})

it.each(names)(
  '%s: a question outlives the process: the answer reaches the service from the next one',
  async (name) => {
    const service = await createService(scripts[name]())
    const log = await memory.open({ folder: '' })
    const start = (of: Log, agent: Agent) =>
      createRuns({ log: of, agents: [agent], now: timeOfLogs, report: () => undefined })
    // A process that is dead hears nothing.
    const first = start({ ...log, watch: () => () => undefined }, httpAgent(name, service.url))
    await first.start({ threadId: 't', agent: 'tester', input: { text: 'ask' }, runId: 'r' })
    let approvalId = ''
    for await (const entries of log.read('r', { after: 0, live: true })) {
      const asked = entries.map(({ event }) => event).find((event) => event.type === 'approval')
      if (asked?.type === 'approval') approvalId = asked.approvalId
      if (approvalId !== '') break
    }
    const second = start(log, httpAgent(name, service.url))
    await recoverAfterCrash(second)
    await answerApproval(second, 'r', approvalId, { state: 'approved' })
    const events: object[] = []
    for await (const entries of log.read('r', { after: 0, live: true }))
      events.push(...entries.map(({ event }) => event))
    expect(texts(events)).toContain('It was approved.')
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
    await second.close()
  },
)

it('langgraph: a thread that the server has forgotten is begun again, with what was said before', async () => {
  let threads = 0
  const service = await createService(({ path }, { json, send }) => {
    if (path === '/threads') return json({ thread_id: `th-${++threads}` })
    if (path.includes('th-1') && service.asked.length > 2) return json({ detail: 'Thread not found' }, 404)
    send(
      [
        { type: 'AIMessageChunk', id: `m-${threads}`, content: 'Well.', response_metadata: { finish_reason: 'stop' } },
        {},
      ],
      'messages',
      '1',
    )
  })
  const bench = await createProcessBench(httpAgent('langgraph', service.url))
  await bench.start('r1', 'My name is Ada.')
  await bench.ended('r1')
  await bench.start('r2', 'Who am I?')
  const events = await bench.ended('r2')
  expect(events.at(-1)).toMatchObject({ outcome: 'success' })
  const last = JSON.stringify(service.asked.at(-1)?.body)
  expect([threads, last.includes('My name is Ada.'), last.includes('Who am I?')]).toEqual([2, true, true])
})

it('langgraph: a person who changes the input of a call changes what the graph runs', async () => {
  const service = await createService(langgraphScript())
  const bench = await createProcessBench(httpAgent('langgraph', service.url))
  await bench.start('r', 'ask')
  const asked = await bench.seen('r', ({ type }) => type === 'approval')
  const approvalId = asked.type === 'approval' ? asked.approvalId : ''
  await answerApproval(bench.runs, 'r', approvalId, { state: 'approved', input: { line: 'One' } })
  await bench.ended('r')
  const { command } = service.asked.at(-1)?.body ?? {}
  const edited = { type: 'edit', edited_action: { name: 'write_log', args: { line: 'One' } } }
  expect(isJsonObject(command) && command.resume).toEqual({ decisions: [edited] })
})

it('langgraph: an answer is sent by the id of its interrupt, because a bare `false` is taken for none', async () => {
  const id = 'ea2a8f2ffa59ec5883222cb22a47dd0b'
  const service = await createService(({ path, body }, { json, send }) => {
    if (path === '/threads') return json({ thread_id: 'th' })
    if (!isJsonObject(body.command))
      return send({ __interrupt__: [{ id, value: { question: 'May I?' } }] }, 'updates', '1')
    const chunk = { type: 'ai', id: 'm', content: 'Well.', tool_call_chunks: [] }
    send([chunk, { langgraph_node: 'answer' }], 'messages|answer:1', '2')
    send({ answer: { messages: [{ type: 'ai', id: 'm', content: 'Well.' }] } }, 'updates', '3')
  })
  const bench = await createProcessBench(httpAgent('langgraph', service.url))
  await bench.start('r', 'ask')
  const asked = await bench.seen('r', ({ type }) => type === 'approval')
  await answerApproval(bench.runs, 'r', asked.type === 'approval' ? asked.approvalId : '', { state: 'denied' })
  expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'success' })
  expect(service.asked.at(-1)?.body.command).toEqual({ resume: { [id]: false } })
})
