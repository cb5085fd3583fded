import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Log, StoredRun } from '../src/log/log.ts'
import type { Sleep } from '../src/run/runs.ts'
import { createServing } from '../src/run/serving.ts'
import { createSweep } from '../src/run/sweep.ts'

const sleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal })
const soon = () => setTimeout(60)

/** A function whose calls the test ends. */
function createPending<Value>() {
  const pending: PromiseWithResolvers<Value>[] = []
  const calls: string[] = []
  return {
    calls,
    pending,
    call(id = '') {
      calls.push(id)
      const call = Promise.withResolvers<Value>()
      pending.push(call)
      return call.promise
    },
  }
}

async function openSweep(listsAtOnce = true) {
  const state = { expired: [] as string[] }
  const runs = () => state.expired.map((id) => ({ id, state: 'live' }) as StoredRun)
  const lists = createPending<readonly StoredRun[]>()
  const decisions = createPending<void>()
  let ring: () => void = () => undefined
  const log = {
    openRuns: async () => [],
    expired: () => {
      const listed = lists.call()
      if (listsAtOnce) lists.pending.shift()?.resolve(runs())
      return listed
    },
    watch: (_subject: string, listener: () => void) => {
      ring = listener
      return () => undefined
    },
  } as unknown as Log
  const serve = () => undefined
  const sweep = createSweep({
    log,
    sleep,
    now: Date.now,
    settle: ({ id }) => decisions.call(id),
    serve,
    report: () => undefined,
  })
  onTestFinished(() => sweep.close())
  return { state, lists, decisions, sweep, ring: () => ring() }
}

describe('a sweep over a log that cannot keep up', () => {
  it('decides about each run once at a time, and about others meanwhile', async () => {
    const { state, decisions, sweep } = await openSweep()
    state.expired = ['slow']
    void sweep.begin()
    await soon()
    for (let look = 0; look < 5; look++) {
      sweep.after(0)
      await setTimeout(30)
    }
    expect(decisions.calls).toEqual(['slow'])
    state.expired = ['slow', 'other']
    sweep.after(0)
    await soon()
    expect(decisions.calls).toEqual(['slow', 'other'])
  })

  it('looks again at a run that was found while it was decided about', async () => {
    const { state, decisions, sweep } = await openSweep()
    state.expired = ['slow']
    void sweep.begin()
    await soon()
    sweep.after(0)
    await soon()
    decisions.pending.shift()?.resolve()
    await soon()
    expect(decisions.calls).toEqual(['slow', 'slow'])
    state.expired = []
    decisions.pending.shift()?.resolve()
    await soon()
    expect(decisions.calls).toHaveLength(2)
  })

  it('asks for one list at a time, and once for all that became due meanwhile', async () => {
    const { lists, sweep } = await openSweep(false)
    void sweep.begin()
    await soon()
    for (const ms of [0, 25, 50, 75, 100]) sweep.after(ms)
    await setTimeout(250)
    expect(lists.calls).toHaveLength(1)
    lists.pending.shift()?.resolve([])
    await soon()
    expect(lists.calls).toHaveLength(2)
    lists.pending.shift()?.resolve([])
    await soon()
    expect(lists.calls).toHaveLength(2)
  })

  it('asks for the next list, too, when one has failed', async () => {
    const { lists, sweep } = await openSweep(false)
    void sweep.begin()
    await soon()
    lists.pending.shift()?.reject(new Error('gone'))
    await setTimeout(700)
    expect(lists.calls).toHaveLength(2)
  })
})

function openServing() {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const services = createPending<void>()
  const serve = createServing({ serve: services.call, sleep, closing: closing.signal, report: () => undefined })
  return { services, serve }
}

describe('what is asked of runs without an owner', () => {
  it('is looked at once at a time, and once more for all that came during a look', async () => {
    const { services, serve } = openServing()
    for (let call = 0; call < 5; call++) serve('r')
    expect(services.calls).toEqual(['r'])
    serve('other')
    expect(services.calls).toEqual(['r', 'other'])
    services.pending[0]?.resolve()
    await soon()
    expect(services.calls).toEqual(['r', 'other', 'r'])
    services.pending[2]?.resolve()
    await soon()
    expect(services.calls).toHaveLength(3)
    serve('r')
    expect(services.calls).toHaveLength(4)
  })

  it('is looked at again after a failure, and at once when it is asked for', async () => {
    const { services, serve } = openServing()
    serve('r')
    services.pending[0]?.reject(new Error('gone'))
    await soon()
    expect(services.calls).toHaveLength(1)
    serve('r')
    await soon()
    expect(services.calls).toHaveLength(2)
    services.pending[1]?.reject(new Error('gone'))
    await setTimeout(1_300)
    expect(services.calls).toHaveLength(3)
  })
})
