import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NodeProcess, newDatabase, type programs, sharedBuses, startNode, until } from './node-process.ts'
import { follow, produce } from './producer.ts'
import { expectOneRun, jsonOf, runAt, seenAt } from './run-sight.ts'

const buses = Object.entries(sharedBuses).filter(([, { absence }]) => absence === undefined)

/** Two nodes for all tests of a `describe`. The first one runs what the other is asked about. */
function useNodes(program: keyof typeof programs, settings: () => Promise<object>): () => [NodeProcess, NodeProcess] {
  let nodes: NodeProcess[] = []
  beforeAll(async () => {
    const all = { databaseUrl: await newDatabase(), ...(await settings()) }
    nodes = await Promise.all([startNode(program, all), startNode(program, all)])
  }, 60_000)
  afterAll(() => Promise.all(nodes.map((node) => node.kill())))
  return () => nodes as [NodeProcess, NodeProcess]
}

describe.skipIf(postgresAbsence).each(buses)('agents of two processes, bus %s', (_name, { settings }) => {
  const nodes = useNodes('agents', settings)

  async function start(runId: string, agent: string, more: object = {}): Promise<void> {
    const body = { agent, input: { text: 'Go' }, runId, ...more }
    expect(await nodes()[0].post(`/api/threads/thread-${runId}/runs`, body)).toMatchObject({ status: 201 })
  }

  it('approve: of the answers that come through both nodes the agent hears one', async () => {
    const [one, other] = nodes()
    await start('approve', 'asking')
    const { approvalId } = await seenAt(other, 'approve', ({ type }) => type === 'approval')
    const answers = [other, other, one].map((node) =>
      node.post(`/api/runs/approve/approvals/${approvalId}`, { state: 'approved' }),
    )
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409])
    await expectOneRun(nodes(), 'approve', 'success')
    expect([...one.heard, ...other.heard].filter((line) => line.startsWith('approve'))).toEqual(['approve approved'])
  })

  it('stop: the agent at the other node is stopped', async () => {
    const [one, other] = nodes()
    await start('stop', 'working')
    await seenAt(other, 'stop', ({ type }) => type === 'block-delta')
    expect(await other.post('/api/runs/stop/stop', { by: 'ada' })).toMatchObject({ body: { stopped: true } })
    const events = await expectOneRun(nodes(), 'stop', 'cancelled')
    expect(events).toContainEqual({ type: 'control', action: 'stop', by: 'ada' })
    expect(one.heard).toContain('stop stopped')
    expect(await other.post('/api/runs/stop/stop')).toMatchObject({ body: { stopped: false } })
  })

  it('steer: the agent at the other node takes each message once, in order', async () => {
    const [one, other] = nodes()
    await start('steer', 'listening')
    const steer = (messageId: string, text: string) =>
      other.post('/api/runs/steer/messages', { messageId, text, by: 'ada' })
    for (const round of [1, 2]) {
      const sent = await steer('m1', 'Left!')
      expect([round, sent]).toEqual([round, { status: 202, body: { messageId: 'm1', delivered: 'now' } }])
    }
    await steer('m2', 'Right!')
    await steer('m3', 'Enough.')
    await expectOneRun(nodes(), 'steer', 'success')
    expect(one.heard.filter((line) => line.startsWith('steer'))).toEqual([
      'steer Left!',
      'steer Right!',
      'steer Enough.',
    ])
    expect(await jsonOf<{ runs: unknown[] }>(other, '/api/threads/thread-steer')).toMatchObject({ runs: [{}] })
  })

  it('take back: what was taken back at the other node is in no later run', async () => {
    const [one, other] = nodes()
    await start('take-back', 'busy')
    for (const messageId of ['kept', 'regretted']) {
      const sent = await other.post('/api/runs/take-back/messages', { messageId, text: messageId })
      expect(sent).toEqual({ status: 202, body: { messageId, delivered: 'next' } })
    }
    const remove = () => other.ask('/api/runs/take-back/messages/regretted', { method: 'DELETE' })
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 409])
    const { approvalId } = await seenAt(other, 'take-back', ({ type }) => type === 'approval')
    await other.post(`/api/runs/take-back/approvals/${approvalId}`, { state: 'approved' })
    const thread = '/api/threads/thread-take-back'
    const runsAt = async () => (await jsonOf<{ runs: { id: string; state: string }[] }>(other, thread)).runs
    const haveEnded = (runs: { state: string }[]) => runs.length === 2 && runs.every(({ state }) => state === 'ended')
    // Before the nodes are compared: while a run goes on, one of them is always ahead.
    await until('another run follows and ends', async () => haveEnded(await runsAt()))
    await expectOneRun(nodes(), 'take-back', 'success')
    const next = (await runsAt()).at(-1)?.id ?? ''
    await expectOneRun(nodes(), next, 'success')
    const heard = [...one.heard, ...other.heard].filter((line) => line.startsWith(next))
    expect(heard).toEqual([`${next} kept`])
  })

  it('the output of a client’s tool: handed over at both nodes, one run takes it', async () => {
    const [one, other] = nodes()
    await start('output', 'wondering')
    await expectOneRun(nodes(), 'output', 'awaiting-input')
    const input = { text: '', toolOutputs: [{ callId: 'c', output: 'fog' }] }
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'outputs' }
    const body = JSON.stringify({ agent: 'wondering', input })
    const init = { method: 'POST', headers, body }
    const answers = await Promise.all(
      [other, one, other].map((node) => node.ask('/api/threads/thread-output/runs', init)),
    )
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { runId: string }).runId))
    expect(new Set(ids).size).toBe(1)
    const next = ids[0] ?? ''
    await expectOneRun(nodes(), next, 'success')
    expect([...one.heard, ...other.heard].filter((line) => line.startsWith(next))).toEqual([`${next} "fog"`])
  })
})

describe.skipIf(postgresAbsence).each(buses)('producers of two processes of `millrace serve`, bus %s', (_name, bus) => {
  const nodes = useNodes('serve', bus.settings)
  const query = (runId: string) => `format=ai-sdk&runId=${runId}&threadId=thread-${runId}`
  const stored = (runId: string, count: number) =>
    until(`${count} records of ${runId} are stored`, async () => {
      const answer = await nodes()[1].ask(`/api/runs/${runId}`)
      return answer.status === 200 && ((await answer.json()) as { rawRecords: number }).rawRecords === count
    })

  it('answer, steer: what is asked at one node is heard at the other, and cannot be taken back', async () => {
    const [one, other] = nodes()
    const producer = produce(one, query('asked'))
    producer.write(
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
      { type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' },
    )
    await stored('asked', 3)
    const heard = await follow(one, 'asked')
    const steer = () => other.post('/api/runs/asked/messages', { text: 'Left!', messageId: 'm1' })
    await until('it is followed', async () => (await steer()).status === 202)
    expect((await other.post('/api/runs/asked/approvals/own', { state: 'approved' })).status).toBe(200)
    const removed = await other.ask('/api/runs/asked/messages/m1', { method: 'DELETE' })
    expect(await removed.json()).toMatchObject({ error: { code: 'not-pending' } })
    await until('the answer is heard', () => heard.some(({ type }) => type === 'answer'))
    producer.write({ type: 'tool-output-available', toolCallId: 'c', output: 'dug' }, { type: 'finish' })
    producer.end()
    expect(await producer.answer).toMatchObject({ status: 200, body: { outcome: 'success', rawRecords: 5 } })
    await expectOneRun(nodes(), 'asked', 'success')
    expect(heard).toMatchObject([
      { type: 'steer', messageId: 'm1', text: 'Left!' },
      { type: 'answer', approvalId: 'own', answer: { state: 'approved' } },
    ])
  })

  it('stop: the producer hears of it at another node than it feeds, and its body is answered', async () => {
    const [one, other] = nodes()
    const producer = produce(one, query('stopped'))
    producer.write({ type: 'start', messageId: 'm' })
    await stored('stopped', 1)
    const heard = await follow(other, 'stopped')
    expect(await other.post('/api/runs/stopped/stop', { by: 'ada' })).toMatchObject({ body: { stopped: true } })
    expect(await producer.answer).toMatchObject({ status: 409, body: { error: { code: 'run-closed' } } })
    await expectOneRun(nodes(), 'stopped', 'cancelled')
    await until('it is heard', () => heard.length > 0)
    expect(heard).toMatchObject([{ number: 1, type: 'stop', by: 'ada' }])
  })

  it('resume: a producer goes on at the other node after a cut, and takes the run over while it is fed', async () => {
    const [one, other] = nodes()
    const speech = (delta: string) => ({ type: 'text-delta', id: 't', delta })
    const first = produce(one, query('resumed'))
    first.write({ type: 'start', messageId: 'm' }, { type: 'text-start', id: 't' }, speech('One. '))
    await stored('resumed', 3)
    first.cut()
    await until('the producer is gone', async () => (await runAt(other, 'resumed')).state === 'waiting')
    const second = produce(other, `${query('resumed')}&line=3`)
    second.write(speech('Two. '))
    await stored('resumed', 4)
    const busy = produce(one, `${query('resumed')}&line=4`)
    busy.end()
    expect(await busy.answer).toMatchObject({ status: 409, body: { error: { code: 'run-busy' } } })
    const third = produce(one, `${query('resumed')}&line=4&attempt=2`)
    third.write(speech('Three.'), { type: 'text-end', id: 't' }, { type: 'finish' })
    third.end()
    expect(await third.answer).toMatchObject({ status: 200, body: { rawRecords: 7, outcome: 'success' } })
    expect(await second.answer).toMatchObject({ status: 409, body: { error: { code: 'stale-attempt' } } })
    const events = await expectOneRun(nodes(), 'resumed', 'success')
    const spoken = events.map((event) => (event.type === 'block-delta' ? event.text : '')).join('')
    expect(spoken).toBe('One. Two. Three.')
  })
})
