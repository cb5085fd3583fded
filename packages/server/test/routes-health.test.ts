import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import { memory } from '../src/log/memory.ts'
import { startServer } from './serving.ts'

describe('health', () => {
  it('reports why the log cannot write, as long as it cannot', async () => {
    let trouble: LogError | undefined
    const log = { ...(await memory.open({ folder: '' })), trouble: async () => trouble }
    const server = await startServer({ log })
    expect((await server.ask('/api/health')).status).toBe(200)
    trouble = new LogError('log-full', 'database or disk is full')
    const failing = await server.ask('/api/health')
    expect(failing.status).toBe(503)
    expect(await failing.json()).toEqual({ status: 'failing', reason: trouble.message })
    trouble = undefined
    expect(await (await server.ask('/api/health')).json()).toEqual({ status: 'ok' })
  })

  it('has a status and a code for each failure of the log', async () => {
    const stored = await memory.open({ folder: '' })
    const codes = { 'log-failed': 503, 'log-full': 507, 'log-corrupt': 500 } as const
    for (const [code, status] of Object.entries(codes)) {
      const createThread = () => Promise.reject(new LogError(code as keyof typeof codes, 'why'))
      const server = await startServer({ log: { ...stored, createThread }, report: () => {} })
      const answer = await server.send('POST', '/api/threads', {})
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { code, message: expect.stringContaining('why') } })
    }
  })
})
