import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@millrace/core/agent'
import { createServer, type Server } from '@millrace/server'
import { memory } from '@millrace/server/log'
import { afterEach, describe, expect, it } from 'vitest'
import { protocolFields } from '../../core/test/wire/agent-event.ts'
import { callAgentTool, defineAgent, defineTool, type ExecutionContext, type Tool } from '../src/public/index.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(...agents: readonly Agent[]): Promise<Server> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-flow-'))
  const log = await memory.open({ folder: dataFolder })
  const server = await createServer({ log, agents, dataFolder, port: 0, stopWithin: 500 })
  closing.push(async () => {
    await server.close()
    await log.close()
    await rm(dataFolder, { recursive: true, force: true })
  })
  return server
}

const ask = ({ url, token }: Server, path: string, body?: object) =>
  fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

/** What a client of the protocol gets, as it comes. */
async function* chunksOf(server: Server, runId: string): AsyncGenerator<{ readonly [field: string]: unknown }> {
  const response = await ask(server, `/api/runs/${runId}/stream?wire=agent-event`)
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString()
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines)
      if (line.startsWith('data:')) yield* protocolFields([JSON.parse(line.slice('data:'.length))])
  }
}

async function play(server: Server, agent: string, runId: string) {
  await ask(server, '/api/threads/t/runs', { agent, input: 'What lies in the hold?', runId })
  const chunks = []
  for await (const chunk of chunksOf(server, runId)) chunks.push(chunk)
  return chunks
}

const toolName = 'run_shell_command'

async function* listHold(_input: { readonly command: string }, ctx: ExecutionContext) {
  for (const content of ['rope.txt\n', 'sails.txt\n']) {
    yield ctx.toolEvent({ type: 'progress', toolName, data: { subtype: 'stdout_chunk', content } })
  }
  const stdout = 'rope.txt\nsails.txt\n'
  yield ctx.toolEvent({ type: 'result', toolName, output: JSON.stringify({ stdout, stderr: '' }) })
}

const listing: Tool<{ readonly command: string }> = defineTool({
  id: toolName,
  description: 'Runs a command.',
  input: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  call: listHold,
})

/** As such an agent is written: it makes the call, adapts what the tool yields, and speaks. */
async function* steps(ctx: ExecutionContext) {
  yield ctx.agentEvent({ type: 'thought', content: 'The hold must be listed.' })
  const input = { command: 'ls hold' }
  yield ctx.agentEvent({ type: 'tool_call', toolName, toolArgs: JSON.stringify(input) })
  for await (const event of listHold(input, ctx)) yield ctx.adaptToolEvent(event)
  yield ctx.agentEvent({ type: 'thought', content: 'That is all of it.' })
  for (const content of ['Rope ', 'and ', 'sails.']) yield ctx.agentEvent({ type: 'stream', content })
  yield ctx.agentEvent({ type: 'final' })
}

const storeman = defineAgent({ title: 'Storeman', call: (_memory, ctx) => steps(ctx) })

const SEVEN = [
  { type: 'thought', content: 'The hold must be listed.' },
  { type: 'tool_call', toolName, toolArgs: '{"command":"ls hold"}' },
  { type: 'tool_progress', toolName, data: { subtype: 'stdout_chunk', content: 'rope.txt\n' } },
  { type: 'tool_progress', toolName, data: { subtype: 'stdout_chunk', content: 'sails.txt\n' } },
  { type: 'tool_result', toolName, output: '{"stdout":"rope.txt\\nsails.txt\\n","stderr":""}' },
  { type: 'thought', content: 'That is all of it.' },
  { type: 'stream', content: 'Rope ' },
  { type: 'stream', content: 'and ' },
  { type: 'stream', content: 'sails.' },
  { type: 'final' },
]

describe('an agent of the protocol, through a server, to a client of the protocol', () => {
  it('S1-26: thought, call, progress, result, thought, answer and final arrive as they were yielded', async () => {
    expect(await play(await serve(storeman), 'storeman', 'r')).toEqual(SEVEN)
  })

  it('S1-26: the same steps by `callTool`, which makes the call and adapts the events itself', async () => {
    const agent = defineAgent({
      title: 'Storeman',
      async *call(_memory, ctx) {
        yield { type: 'thought', content: 'The hold must be listed.' }
        yield* ctx.callTool(listing, { command: 'ls hold' })
        yield { type: 'thought', content: 'That is all of it.' }
        for (const content of ['Rope ', 'and ', 'sails.']) yield { type: 'stream', content }
      },
    })
    expect(await play(await serve(agent), 'storeman', 'r')).toEqual(SEVEN)
  })

  it('S1-27, S1-28, S1-30: an agent that calls it gets its answer as progress and as the output', async () => {
    const captain = defineAgent({
      title: 'Captain',
      async *call({ input }, ctx) {
        yield* ctx.callTool(callAgentTool, { agentId: 'storeman', task: input.text })
        yield { type: 'stream', content: 'Aye.' }
      },
    })
    const chunks = await play(await serve(captain, storeman), 'captain', 'r')
    const ofCall = chunks.filter((chunk) => chunk.toolName === 'call-agent')
    expect(ofCall).toEqual([
      {
        type: 'tool_call',
        toolName: 'call-agent',
        toolArgs: '{"agentId":"storeman","task":"What lies in the hold?"}',
      },
      ...['Rope ', 'and ', 'sails.'].map((data) => ({ type: 'tool_progress', toolName: 'call-agent', data })),
      { type: 'tool_result', toolName: 'call-agent', output: 'Rope and sails.' },
    ])
    expect(chunks.slice(-2)).toEqual([{ type: 'stream', content: 'Aye.' }, { type: 'final' }])
  })

  it('S1-1, S1-4: what a tool yields passes its agent, its context, the service and the client, and arrives as events of the agent only', async () => {
    const yielded: string[] = []
    const noted: Tool<{ readonly command: string }> = {
      ...listing,
      async *call(input, ctx) {
        for await (const event of listHold(input, ctx)) {
          yielded.push(event.type)
          yield event
        }
      },
    }
    const agent = defineAgent({
      title: 'Storeman',
      call: (_memory, ctx) => ctx.callTool(noted, { command: 'ls hold' }),
    })
    const arrived = (await play(await serve(agent), 'storeman', 'r')).map(({ type }) => type)
    expect(yielded).toEqual(['progress', 'progress', 'result'])
    expect(arrived).toEqual(['tool_call', 'tool_progress', 'tool_progress', 'tool_result', 'final'])
  })

  it('S1-7, S1-23, S1-24, S1-25: progress of any kind arrives as it was', async () => {
    const all = [
      { subtype: 'stdout_chunk', content: 'a\n' },
      'Hello, how ',
      { subtype: 'transfer_progress', percent: 65 },
      null,
      [1, { deep: true }],
    ]
    const tool = defineTool({
      id: 'work',
      description: '',
      input: {},
      async *call() {
        for (const data of all) yield { type: 'progress', toolName: 'work', data }
        yield { type: 'result', toolName: 'work', output: '' }
      },
    })
    const agent = defineAgent({ title: 'Worker', call: (_memory, ctx) => ctx.callTool(tool, {}) })
    const chunks = await play(await serve(agent), 'worker', 'r')
    expect(chunks.flatMap((chunk) => (chunk.type === 'tool_progress' ? [chunk.data] : []))).toEqual(all)
  })

  it('S1-32: a stop ends the agent, its tool and the agent that it called; a client without a word for it gets an error', async () => {
    const ended: string[] = []
    const waiting = defineAgent({
      title: 'Waiting',
      async *call(_memory, { signal }) {
        yield { type: 'stream', content: 'Waiting.' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        ended.push('waiting')
      },
    })
    const captain = defineAgent({
      title: 'Captain',
      async *call(_memory, ctx) {
        yield* ctx.callTool(callAgentTool, { agentId: 'waiting', task: 'Wait.' })
        ended.push('captain')
      },
    })
    const server = await serve(captain, waiting)
    await ask(server, '/api/threads/t/runs', { agent: 'captain', input: 'Go', runId: 'r' })
    const chunks = []
    for await (const chunk of chunksOf(server, 'r')) {
      chunks.push(chunk)
      if (chunk.type === 'tool_progress') await ask(server, '/api/runs/r/stop', {})
    }
    expect(chunks.filter(({ type }) => type === 'error' || type === 'final')).toMatchObject([{ type: 'error' }])
    await expect.poll(() => ended.toSorted()).toEqual(['captain', 'waiting'])
  })
})
