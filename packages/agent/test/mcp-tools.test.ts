import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { StreamEvent } from '@millrace/core/events'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { toolIdsOf } from '../src/mcp/tool-ids.ts'
import { defineAgent, type McpServer, mcpTools, type Tool } from '../src/public/index.ts'
import { jsonSchemaOf } from '../src/schema/check-input.ts'
import { markedProcesses } from '../src/tools/descendants.ts'
import { createBench, ofType } from './bench.ts'
import { createHarbour } from './programs/harbour-mcp.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const PROGRAM = fileURLToPath(new URL('./programs/harbour-stdio.ts', import.meta.url))
const stdio = async (env: { readonly [name: string]: string } = {}): Promise<McpServer> => ({
  command: process.execPath,
  args: [PROGRAM],
  env,
})

/** The same server behind an address, with what its requests had in their headers. */
async function http(): Promise<{ readonly url: string; readonly headers: { [name: string]: string } }> {
  const handler = createMcpHandler(createHarbour)
  const server = createServer(async (request, response) => {
    const isBare = request.method === 'GET' || request.method === 'DELETE'
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: request.headers as { [name: string]: string },
      ...(!isBare && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
    })
    if (asked.headers.get('authorization') !== 'Bearer harbour-key') {
      response.writeHead(403).end('Who are you?')
      return
    }
    const { status, headers, body } = await handler.fetch(asked)
    response.writeHead(status, Object.fromEntries(headers))
    for await (const chunk of body ?? []) response.write(chunk)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => handler.close(),
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: 'Bearer harbour-key' } }
}

async function listed(server: McpServer): Promise<readonly Tool[]> {
  const controller = new AbortController()
  closing.push(() => controller.abort())
  return mcpTools({ harbour: server }, controller.signal)
}

/** The events of a run that calls one tool; a question is approved. */
async function play(server: McpServer, id: string, input: unknown): Promise<readonly StreamEvent[]> {
  const agent = defineAgent({
    title: 'Tester',
    async *call(_memory, ctx) {
      const tools = await mcpTools({ harbour: server }, ctx.signal)
      const tool = tools.find((each) => each.id === id)
      if (tool !== undefined) yield* ctx.callTool(tool, input)
    },
  })
  const bench = await createBench(agent)
  await bench.start('r')
  const asked = bench.seen('r', ({ type }) => type === 'approval').catch(() => undefined)
  const question = await asked
  if (question?.type === 'approval') await bench.answer('r', question.approvalId, { state: 'approved' })
  return bench.ended('r')
}

describe.each([
  ['stdio', stdio],
  ['Streamable HTTP', http],
] as const)('the tools of an MCP server over %s', (_name, open) => {
  it('have the names of their server, its schemas, and ask unless they only read', async () => {
    const tools = await listed(await open())
    expect(tools.map(({ id, approve }) => [id, approve])).toEqual([
      ['mcp__harbour__get_tide', false],
      ['mcp__harbour__dredge_harbour', true],
      ['mcp__harbour__chart', false],
      ['mcp__harbour__wreck', false],
      ['mcp__harbour__drift', false],
    ])
    expect(jsonSchemaOf((tools[0] as Tool).input)).toMatchObject({ required: ['harbour'] })
  })

  it('are called, report progress, fail, and give files', async () => {
    const server = await open()
    const tide = await play(server, 'mcp__harbour__get_tide', { harbour: 'Millport' })
    expect(ofType(tide, 'approval')).toEqual([])
    expect(ofType(tide, 'tool-output')).toMatchObject([{ status: 'ok', output: 'High water at Millport: 06:12.' }])
    const dredged = await play(server, 'mcp__harbour__dredge_harbour', { metres: 2 })
    expect(ofType(dredged, 'approval').map(({ state }) => state)).toEqual(['requested', 'approved'])
    expect(ofType(dredged, 'tool-progress')).toMatchObject([
      { percent: 50, data: { message: '1 m' } },
      { percent: 100, data: { message: '2 m' } },
    ])
    const wreck = await play(server, 'mcp__harbour__wreck', {})
    expect(ofType(wreck, 'tool-output')).toMatchObject([{ status: 'error', output: 'The mast broke.' }])
    const chart = await play(server, 'mcp__harbour__chart', {})
    expect(ofType(chart, 'tool-output')).toMatchObject([{ output: 'The chart:\n[file image/png]' }])
    expect(ofType(chart, 'file')).toMatchObject([{ mediaType: 'image/png', bytes: 'UE5H' }])
    const wrong = await play(server, 'mcp__harbour__get_tide', { harbour: 7 })
    expect(ofType(wrong, 'tool-output')).toMatchObject([{ status: 'error' }])
  })

  it('S1-32: stop with the run', async () => {
    const server = await open()
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        const tools = await mcpTools({ harbour: server }, ctx.signal)
        yield* ctx.callTool(tools.at(-1) as Tool, {})
      },
    })
    const bench = await createBench(agent)
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'tool-input')
    await bench.stop('r')
    expect((await bench.ended('r')).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })
})

it('the program of an MCP server ends with the run', async () => {
  await play(await stdio({ MILLRACE_MARK: 'mcp-of-test' }), 'mcp__harbour__get_tide', { harbour: 'Millport' })
  await expect.poll(() => markedProcesses('mcp-of-test'), { timeout: 8000 }).toEqual([])
})

it.each([
  ['cannot be started', { command: 'no-such-harbour' }, 'ENOENT'],
  [
    'ends at once',
    { command: process.execPath, args: ['-e', 'console.error("No chart.");process.exit(2)'] },
    'No chart.',
  ],
  ['refuses', { url: 'http://127.0.0.1:9/mcp' }, 'fetch failed'],
])('a server that %s is named, and the others are closed', async (_what, broken, sentence) => {
  const signal = new AbortController().signal
  const servers = { harbour: await stdio({ MILLRACE_MARK: 'mcp-beside' }), broken }
  const failing = mcpTools(servers, signal)
  await expect(failing).rejects.toThrow(/The MCP server "broken" cannot be used/)
  await expect(failing).rejects.toThrow(sentence)
  await expect.poll(() => markedProcesses('mcp-beside'), { timeout: 8000 }).toEqual([])
})

it('does not wait for a server that never answers, once the run is stopped', async () => {
  const controller = new AbortController()
  const silent = {
    command: process.execPath,
    args: ['-e', 'setTimeout(() => 0, 60000)'],
    env: { MILLRACE_MARK: 'mcp-silent' },
  }
  const opening = mcpTools({ silent }, controller.signal)
  await expect.poll(() => markedProcesses('mcp-silent').length).toBe(1)
  controller.abort()
  await expect(opening).rejects.toThrow('"silent" cannot be used')
  await expect.poll(() => markedProcesses('mcp-silent'), { timeout: 8000 }).toEqual([])
})

it('gives every tool an id of its own that models take', () => {
  const long = 'a'.repeat(80)
  const ids = toolIdsOf('s', [{ name: 'x.y' }, { name: 'x/y' }, { name: `${long}1` }, { name: `${long}2` }])
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^mcp__s__[a-zA-Z0-9_-]{1,57}$/)
})
