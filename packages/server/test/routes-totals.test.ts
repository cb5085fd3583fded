import type { Entry } from '@millrace/core/entry'
import { describe, expect, it } from 'vitest'
import { startServer } from './serving.ts'

describe('threads', () => {
  it('report for each run its usage, its raw events and its times, by the clock of its recording', async () => {
    const server = await startServer()
    const records = [
      { type: 'system', subtype: 'init', session_id: 's', model: 'm', uuid: '1' },
      {
        type: 'assistant',
        uuid: '2',
        session_id: 's',
        timestamp: '2025-06-01T10:00:00.000Z',
        message: { id: 'a', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Hello' }], usage: {} },
      },
      { type: 'nobody-knows', what: 1 },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        num_turns: 1,
        total_cost_usd: 0.25,
        duration_ms: 9,
        uuid: '3',
      },
    ]
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const answer = await server.ask('/api/ingest?format=claude-agent-sdk&runId=r&threadId=t', { method: 'POST', body })
    expect(answer.status).toBe(200)
    const entries: Entry[] = []
    for await (const batch of server.log.read('r', { after: 0, live: false })) entries.push(...batch)
    const at = Date.UTC(2025, 5, 1, 10)
    const { runs } = (await (await server.ask('/api/threads/t')).json()) as { runs: object[] }
    const seqs = entries.flatMap(({ seq, event }) => (event.type === 'raw' ? [seq] : []))
    expect(seqs).toHaveLength(1)
    expect(runs).toMatchObject([
      { id: 'r', state: 'ended', usage: { costUsd: 0.25, turns: 1 }, raw: { count: 1, seqs }, startedAt: at },
    ])
    // About a second for the import itself, not the year since the recording.
    expect((runs[0] as { endedAt: number }).endedAt - at).toBeLessThan(60_000)
  })
})
