import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { StreamEvent } from '@millrace/core/events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAgentFile } from '../src/agents/agent-file.ts'
import { createAgentFolder } from '../src/agents/agent-folder.ts'
import { createModels } from '../src/agents/models.ts'
import { memory } from '../src/log/memory.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { eventsOf } from './run-parts.ts'

let folder: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-models-')))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await rm(folder, { recursive: true, force: true })
})

type Body = {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: unknown
}

/** Chat Completions: the model reads the file `note.txt`, and then says what it has read. */
async function startModel() {
  const asked: { readonly headers: { readonly [name: string]: unknown }; readonly body: Body }[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Body
    asked.push({ headers: request.headers, body })
    const result = body.messages.findLast(({ role }) => role === 'tool')?.content
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path":"note.txt"}' },
    }
    const delta = result === undefined ? { tool_calls: [call] } : { content: `It says ${result}` }
    const chunkOf = (fields: object) =>
      `data: ${JSON.stringify({ id: `${asked.length}`, choices: [{ index: 0, ...fields }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chunkOf({ delta: { role: 'assistant', ...delta } }) + chunkOf({ delta: {}, finish_reason: 'stop' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

const textOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-delta' ? [event.text] : [])).join('')

const problemOf = (text: string) => {
  const read = readAgentFile(text, 'x', folder)
  return 'problem' in read ? read.problem : undefined
}

/** A variable of the environment, as a file names it. */
const variable = (name: string) => `$\{${name}}`

describe('a file with a model', () => {
  it('is an agent with the named tools, in the folder that it names, that sends the headers and no key by itself', async () => {
    const { url, asked } = await startModel()
    await writeFile(join(folder, 'note.txt'), 'High water at 06:12.')
    const yaml = [
      'model: openai-chat:qwen3',
      `baseUrl: ${url}`,
      'instructions: Be brief.',
      'tools: [read_file, list_files]',
      'cwd: folder',
      'options: { temperature: 0 }',
      `headers: { x-team: '${variable('TEAM:-harbour-team')}' }`,
      'env: [TEAM]',
    ]
    await writeFile(join(folder, 'local.yaml'), yaml.join('\n'))
    const agents = createAgentFolder(folder, { threads: join(folder, '.work') })
    const [agent] = agents.agents()
    expect(agent).toMatchObject({ name: 'local', title: 'openai-chat:qwen3', kind: 'model', format: 'openai-chat' })
    expect(agent?.unavailable?.()).toBeUndefined()
    const log = await memory.open({ folder: '' })
    const runs = createRuns({ log, agents: agents.agents, workFolder: join(folder, 'work'), report: () => undefined })
    closing.push(() => runs.close())
    await runs.start({ threadId: 't', agent: 'local', input: { text: 'What does the note say?' }, runId: 'r' })
    for await (const _entries of log.read('r', { after: 0, live: true }));
    expect(textOf(await eventsOf(log, 'r'))).toContain('High water at 06:12.')
    const [first] = asked
    expect(first?.headers).toMatchObject({ 'x-team': 'harbour-team' })
    expect(first?.headers.authorization).toBeUndefined()
    expect(first?.body).toMatchObject({
      model: 'qwen3',
      temperature: 0,
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
      tools: [{ function: { name: 'read_file' } }, { function: { name: 'list_files' } }],
    })
  })

  it('says which variable with its key is missing, and at which line it is wrong', () => {
    const read = readAgentFile('model: openai:gpt-x\nenv: [NO_SUCH_KEY]', 'x', folder)
    expect('agent' in read && read.agent.unavailable?.()).toContain('NO_SUCH_KEY')
    expect(problemOf('model: claude')).toMatch(/Write a model as "anthropic:NAME"/)
    expect(problemOf('model: openai-chat:x\nbaseUrl: file:///etc')).toMatch(/is no address of a model/)
    expect(problemOf('model: openai-chat:x\ntools: [read_file, dig]')).toMatch(/^Line 2: tools\.1 /)
    expect(problemOf('model: openai-chat:x\nmcp: { wiki: { url: nowhere } }')).toMatch(/^Line 2: mcp\.wiki/)
    expect(problemOf('model: openai-chat:x\nsandbox: bwrap')).toBe(
      '`sandbox` is for programs; an agent with a model has none.',
    )
    expect(problemOf(`model: openai-chat:x\nheaders: { a: '${variable('B')}' }`)).toBe(
      'A header needs B, which `env` does not list.',
    )
    expect(problemOf('model: openai-chat:x\nenv: [A, B]')).toBe('`env` names more than one key: A, B.')
    expect(problemOf('model: openai-chat:x\nenv: [MILLRACE_TOKEN]')).toBe('`env` cannot have MILLRACE_TOKEN.')
    expect(problemOf('run: [node]\ntools: [shell]')).toBe('`tools` is for agents with a `model` alone.')
  })
})

it('a key in the environment is an agent with a default model, which a variable changes', () => {
  const keys = { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENAI_API_KEY: '', MILLRACE_GEMINI_MODEL: 'gemini-x' }
  expect(createModels(keys).map(({ name, kind, description }) => [name, kind, description])).toEqual([
    ['anthropic', 'model', 'claude-sonnet-5-5, without tools.'],
    ['gemini', 'model', 'gemini-x, without tools.'],
  ])
  expect(createModels({})).toEqual([])
})
