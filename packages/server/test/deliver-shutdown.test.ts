import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { cutAt } from '../src/deliver/sink.ts'

/** A client that counts how often it is cut. */
function client() {
  const gone = new AbortController()
  const sink = { cuts: 0, closed: gone.signal, cut: () => void sink.cuts++ }
  return { sink, leave: () => gone.abort() }
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await setImmediate()
  collect()
  await setImmediate()
}

describe('a server that stops', () => {
  it('cuts the clients that are there, once', () => {
    const shutdown = new AbortController()
    const clients = [client(), client()]
    for (const { sink } of clients) cutAt(shutdown.signal, sink)
    shutdown.abort()
    expect(clients.map(({ sink }) => sink.cuts)).toEqual([1, 1])
  })

  it('keeps nothing of clients that have left, also if garbage was collected while they were there', async () => {
    const shutdown = new AbortController()
    const clients = Array.from({ length: 50 }, client)
    for (const { sink } of clients) cutAt(shutdown.signal, sink)
    await collectGarbage()
    for (const { leave } of clients.slice(1)) leave()
    const late = client()
    late.leave()
    cutAt(shutdown.signal, late.sink)
    expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1)
    shutdown.abort()
    expect([...clients, late].filter(({ sink }) => sink.cuts > 0)).toEqual([clients[0]])
  })
})
