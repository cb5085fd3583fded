import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type NodeProcess, newDatabase, type programs, startNode, until } from './node-process.ts'
import { produce } from './producer.ts'
import { expectOneRun, runAt, seenAt } from './run-sight.ts'

const TTL = 1_500
/** A sweep takes 2 s at most on an idle machine. A busy one may take longer. */
const SWEPT_WITHIN = TTL + 20_000

async function openNodes(program: keyof typeof programs): Promise<[NodeProcess, NodeProcess]> {
  const settings = { databaseUrl: await newDatabase(), leaseTtl: TTL }
  const nodes = await Promise.all([startNode(program, settings), startNode(program, settings)])
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
  })
  return nodes
}

/** Milliseconds from a kill until another node has swept. */
async function sweptAfter(one: NodeProcess, isSwept: () => Promise<boolean>): Promise<number> {
  await one.kill()
  const begun = performance.now()
  await until('the other node sweeps', isSwept)
  const taken = performance.now() - begun
  console.log(`swept ${Math.round(taken)} ms after the kill, with leases of ${TTL} ms`)
  expect(taken).toBeLessThan(SWEPT_WITHIN)
  return taken
}

describe.skipIf(postgresAbsence)('a node that is killed', () => {
  it('leaves the run of its agent to the other node, which ends it once, as interrupted', async () => {
    const [one, other] = await openNodes('agents')
    await one.post('/api/threads/t/runs', { agent: 'working', input: { text: 'Go' }, runId: 'r' })
    await seenAt(other, 'r', ({ type }) => type === 'block-delta')
    const seen = seenAt(other, 'r', ({ type }) => type === 'run-end')
    await sweptAfter(one, async () => (await runAt(other, 'r')).state === 'ended')
    expect(await seen).toMatchObject({ outcome: 'interrupted' })
    await expectOneRun([other], 'r', 'interrupted')
  })

  it('leaves the run of a producer waiting, and the producer goes on at the other node', async () => {
    const [one, other] = await openNodes('serve')
    const text = (content: string) => ({ type: 'text', data: { content } })
    const first = produce(one, 'format=agent-lines&runId=r&threadId=t')
    first.write(text('One. '))
    await until('it is stored', async () => (await other.ask('/api/runs/r')).status === 200)
    await until('its record is stored', async () => (await runAt(other, 'r')).rawRecords === 1)
    await sweptAfter(one, async () => (await runAt(other, 'r')).state === 'waiting')
    expect(await first.answer).toBeUndefined()
    const second = produce(other, 'format=agent-lines&runId=r&threadId=t&line=1')
    second.write(text('Two.'), { type: 'done', data: {} })
    second.end()
    expect(await second.answer).toMatchObject({ status: 200, body: { rawRecords: 3, outcome: 'success' } })
    const events = await expectOneRun([other], 'r', 'success')
    expect(events.map((event) => (event.type === 'block-delta' ? event.text : '')).join('')).toBe('One. Two.')
  })

  it('leaves a question open that the other node can answer', async () => {
    const [one, other] = await openNodes('agents')
    const producer = produce(one, 'format=ai-sdk&runId=r&threadId=t')
    producer.write(
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
      { type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' },
    )
    await until('it is stored', async () => (await other.ask('/api/runs/r')).status === 200)
    await seenAt(other, 'r', ({ type }) => type === 'approval')
    await one.kill()
    const answered = await other.post('/api/runs/r/approvals/own', { state: 'approved' })
    expect(answered.status).toBe(200)
    await producer.answer
    const second = produce(other, 'format=ai-sdk&runId=r&threadId=t&line=3')
    second.write({ type: 'tool-output-available', toolCallId: 'c', output: 'dug' }, { type: 'finish' })
    second.end()
    expect(await second.answer).toMatchObject({ status: 200, body: { outcome: 'success' } })
    await expectOneRun([other], 'r', 'success')
  })
})
