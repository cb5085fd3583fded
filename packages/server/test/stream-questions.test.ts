import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Agent, AgentHost, ApprovalAnswer } from '../src/run/agent.ts'
import { eventsOf } from './run-parts.ts'
import { scripted, startServer, text, until } from './serving.ts'

interface Message {
  readonly type?: string
  readonly id?: number
  readonly method?: string
  readonly request_id?: string
  readonly request?: { readonly subtype: string }
}

/** How an agent asks in its own stream, and how it is answered. */
interface Dialect {
  readonly format: string
  readonly recording: string
  /** The id of the question that a line asks, as the parser names it. */
  questionIn(message: Message): string | undefined
  answer(approvalId: string, answer: ApprovalAnswer): object
}

const dialects: { readonly [name: string]: Dialect } = {
  claude: {
    format: 'claude-agent-sdk',
    recording: 'claude-agent-sdk/permissions.jsonl',
    questionIn: ({ type, request_id, request }) =>
      type === 'control_request' && request?.subtype === 'can_use_tool' ? request_id : undefined,
    answer: (request_id, { state }) => ({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { behavior: state === 'denied' ? 'deny' : 'allow' } },
    }),
  },
  acp: {
    format: 'acp',
    recording: 'acp/permissions.jsonl',
    questionIn: ({ id, method }) =>
      /^session\/request_permission$|^elicitation\//.test(method ?? '') ? `${method}#${id}` : undefined,
    answer: (approvalId, { state }) => ({
      jsonrpc: '2.0',
      id: Number(approvalId.split('#')[1]),
      result: { outcome: { outcome: 'selected', optionId: state === 'denied' ? 'no' : 'yes' } },
    }),
  },
}

const program = fileURLToPath(new URL('./programs/recorded-connection.mjs', import.meta.url))

/** A process that asks in its stream. What it has heard is kept. */
function recorded({ format, recording, questionIn, answer }: Dialect, heard: string[]): Agent {
  async function* play(host: AgentHost) {
    const file = fileURLToPath(new URL(`../../../fixtures/${recording}`, import.meta.url))
    const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'pipe'] })
    createInterface({ input: child.stderr }).on('line', (line) => heard.push(line))
    for await (const line of createInterface({ input: child.stdout })) {
      const approvalId = questionIn(JSON.parse(line))
      yield new TextEncoder().encode(`${line}\n`)
      if (approvalId === undefined) continue
      void host.answer(approvalId).then((given) => {
        if (given.state !== 'expired') child.stdin.write(`${JSON.stringify(answer(approvalId, given))}\n`)
      })
    }
  }
  return { name: 'recorded', title: 'Recorded', format, framing: 'json-lines', run: (_request, host) => play(host) }
}

describe.each(Object.entries(dialects))('a %s process that asks in its stream', (_name, dialect) => {
  it('is asked, answered once, hears the answer and goes on', async () => {
    const heard: string[] = []
    const server = await startServer({ agents: [recorded(dialect, heard)] })
    const started = await server.send('POST', '/api/threads/t/runs', { agent: 'recorded', input: 'Go', runId: 'r' })
    expect(started.status).toBe(201)
    const answered: string[] = []
    const approve = async (approvalId: string, nth: number) => {
      const path = `/api/runs/r/approvals/${encodeURIComponent(approvalId)}`
      const state = nth % 2 === 0 ? 'approved' : 'denied'
      const statuses = await Promise.all([1, 2].map(async () => (await server.send('POST', path, { state })).status))
      expect(statuses.toSorted()).toEqual([200, 409])
      answered.push(JSON.stringify(dialect.answer(approvalId, { state })))
    }
    await until(async () => {
      const approvals = (await eventsOf(server.log, 'r')).filter((event) => event.type === 'approval')
      const open = approvals.filter(
        ({ approvalId }, _, all) => all.filter((e) => e.approvalId === approvalId).length === 1,
      )
      for (const { approvalId } of open) await approve(approvalId, answered.length)
      return (await server.log.run('r'))?.state === 'ended'
    })
    expect(heard).toEqual(answered)
    expect(heard.length).toBeGreaterThan(1)
    const approvals = (await eventsOf(server.log, 'r')).filter((event) => event.type === 'approval')
    for (const { approvalId } of approvals) {
      const states = approvals.filter((event) => event.approvalId === approvalId).map(({ state }) => state)
      expect([states[0], states.length], approvalId).toEqual(['requested', 2])
    }
    expect(await (await server.ask('/api/runs/r/verify')).json()).toMatchObject({ reread: 'same', problems: [] })
  })
})

describe('a question of an agent', () => {
  it('is not answered with a changed input if its agent runs calls as it wrote them', async () => {
    const agent = scripted('asking', async function* (_request, host) {
      await host.ask({ message: 'Sure?' })
      yield text('done')
    })
    const server = await startServer({ agents: [agent] })
    const body = { agent: 'asking', input: 'x' }
    const started = await server.send('POST', '/api/threads/t/runs', body)
    const { runId } = (await started.json()) as { runId: string }
    const path = `/api/runs/${runId}/approvals/approval-1`
    const changed = await server.send('POST', path, { state: 'approved', input: { path: 'b' } })
    expect([changed.status, await changed.json()]).toMatchObject([409, { error: { code: 'cannot-edit' } }])
    await until(async () => (await server.send('POST', path, { state: 'approved' })).status === 200)
  })
})
