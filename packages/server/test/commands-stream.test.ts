import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { reading } from './frames.ts'
import { startServer, until } from './serving.ts'

/** A run whose producer is lost: nothing is done unless the test does it. */
async function lostRun(log: Log): Promise<void> {
  await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  await log.release('r', 0)
}

const settle = (log: Log, ...numbers: number[]) =>
  log.append(
    'r',
    { epoch: 0, afterSeq: 0 },
    {
      inputs: [],
      events: [],
      settle: numbers.map((number) => ({ number, result: { state: 'applied', seq: 0 } })),
    },
  )

describe('the commands of a run, as its producer gets them', () => {
  it('leave out what was refused', async () => {
    const server = await startServer()
    await lostRun(server.log)
    expect((await server.send('POST', '/api/runs/r/approvals/none', { state: 'approved' })).status).toBe(409)
    await server.send('POST', '/api/runs/r/stop', {})
    const text = await (await server.ask('/api/runs/r/commands')).text()
    expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(['2'])
  })

  it('come in order, whichever was settled first, and end with the run', async () => {
    const { log, ask } = await startServer()
    await lostRun(log)
    const stream = reading(await ask('/api/runs/r/commands'))
    await until(() => log.isFollowed('r'))
    for (const messageId of ['a', 'b', 'c']) await log.tell('r', { command: { type: 'take-back', messageId } })
    await settle(log, 2)
    await settle(log, 1)
    await stream.until('"b"')
    await log.append(
      'r',
      { epoch: 0, afterSeq: 0 },
      { inputs: [], events: [{ type: 'run-end', outcome: 'cancelled' }] },
    )
    const all = await stream.rest()
    expect([...all.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(['1', '2'])
    await until(async () => !(await log.isFollowed('r')))
  })
})
