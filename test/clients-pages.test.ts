import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ThreadDetail } from '@millrace/core/api'
import { describe, expect, it } from 'vitest'
import { expectedPieces } from '../proofs/clients/pages/expected.ts'
import { pageClients } from '../proofs/clients/pages/registry.ts'
import { pagesKept } from '../proofs/clients/pages/report.ts'
import { scenes } from '../proofs/clients/pages/scenes.ts'

const clients = resolve(import.meta.dirname, '../clients')

const at = { startedAt: 0, seqs: [1, 1] as const }

/** A thread of one run, with these segments of an answer. */
function threadWith(...segments: readonly object[]): ThreadDetail {
  const chatEvents = [
    {
      id: 'r/u',
      runId: 'r',
      role: 'user',
      state: 'done',
      ...at,
      segments: [{ type: 'text', text: 'Repair it', ...at }],
    },
    { id: 'r/m', runId: 'r', role: 'assistant', state: 'done', ...at, segments },
  ]
  const runs = [{ id: 'r', threadId: 't', state: 'ended', format: 'agent-lines', seq: 9, rawRecords: 1, createdAt: 1 }]
  return { id: 't', title: 't', runs, chatEvents } as unknown as ThreadDetail
}

describe('the clients in pages', () => {
  it('have a page each, and scenes with titles of their own', () => {
    for (const { page } of pageClients) expect(existsSync(join(clients, 'pages', page, 'index.html'))).toBe(true)
    expect(new Set(scenes.map(({ title }) => title)).size).toBe(scenes.length)
    for (const { exceptions = {}, unlikeReloaded = {} } of pageClients) {
      for (const title of Object.keys({ ...exceptions, ...unlikeReloaded })) {
        expect(scenes.map((scene) => scene.title)).toContain(title)
      }
    }
  })

  it('have to hold the questions, thoughts, texts and calls of the thread, and the sentence of a failed call', () => {
    const call = { type: 'tool', callId: 'c', name: 'measure', input: { part: 'wheel' }, ...at }
    const pieces = expectedPieces(
      threadWith(
        { type: 'reasoning', id: 'b1', text: 'Wood.', ...at },
        { ...call, state: 'done', output: 3 },
        { ...call, callId: 'd', state: 'failed', output: null, error: 'No wood' },
        { ...call, callId: 'e', state: 'denied' },
        { type: 'status', lines: [], ...at },
        { type: 'text', id: 'b2', text: 'It turns.', ...at },
      ),
    )
    const tool = { type: 'tool', name: 'measure', input: { part: 'wheel' } }
    expect(pieces).toEqual([
      { type: 'user', text: 'Repair it' },
      { type: 'reasoning', text: 'Wood.' },
      { ...tool, state: 'done', output: 3 },
      { ...tool, state: 'failed', output: 'No wood' },
      { ...tool, state: 'denied' },
      { type: 'text', text: 'It turns.' },
    ])
  })

  it('are not kept if one of them has a problem in one scene', () => {
    const [client] = pageClients
    if (client === undefined) throw new Error('There is no client.')
    const kept = { client, scene: 'stop', problems: [] }
    expect(pagesKept([kept, kept])).toBe(true)
    expect(pagesKept([kept, { ...kept, problems: ['unlike the thread'] }])).toBe(false)
  })
})
