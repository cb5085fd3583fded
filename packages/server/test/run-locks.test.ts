import { describe, expect, it } from 'vitest'
import { createRunLocks } from '../src/run/run-locks.ts'
import { createListeners, createRunStatuses } from '../src/run/run-statuses.ts'
import { createWaits } from '../src/run/waits.ts'
import { createSleeper, until } from './run-parts.ts'

/** Holders that the test ends one by one, and the order in which they began. */
function createHolders(count: number) {
  const locks = createRunLocks()
  const begun: number[] = []
  const ends = Array.from({ length: count }, () => Promise.withResolvers<number>())
  const hold = (nth: number, key = 'r') =>
    locks.take(key, () => {
      begun.push(nth)
      return (ends[nth] as PromiseWithResolvers<number>).promise
    })
  return { hold, begun, ends }
}

describe('the lock of a run', () => {
  it.each([2, 3, 5])(
    'is held by one of %i at a time, in the order of the calls, also by those that come later',
    async (count) => {
      const { hold, begun, ends } = createHolders(count * 2)
      const early = Array.from({ length: count }, (_, nth) => hold(nth))
      const late: Promise<number>[] = []
      for (let nth = 0; nth < count; nth++) {
        await until(() => begun.length === nth + 1)
        expect(begun).toEqual(Array.from({ length: nth + 1 }, (_, index) => index))
        late.push(hold(count + nth))
        ends[nth]?.resolve(nth)
        expect(await early[nth]).toBe(nth)
      }
      for (let nth = count; nth < 2 * count; nth++) {
        await until(() => begun.length === nth + 1)
        ends[nth]?.resolve(nth)
      }
      expect(await Promise.all(late)).toEqual(Array.from({ length: count }, (_, nth) => count + nth))
      expect(begun).toEqual(Array.from({ length: 2 * count }, (_, nth) => nth))
    },
  )

  it('goes to the next after each holder that throws, and only that holder’s caller gets the error', async () => {
    const { hold, begun, ends } = createHolders(4)
    const held = [0, 1, 2, 3].map((nth) => hold(nth).catch((error: Error) => error.message))
    for (const nth of [0, 1, 2]) {
      await until(() => begun.length === nth + 1)
      ends[nth]?.reject(new Error(`${nth} failed`))
    }
    ends[3]?.resolve(3)
    expect(await Promise.all(held)).toEqual(['0 failed', '1 failed', '2 failed', 3])
  })

  it('goes to the next after a holder that throws before it awaits', async () => {
    const locks = createRunLocks()
    const broken = () => {
      throw new Error('at once')
    }
    const [first, second, third] = [locks.take('r', broken), locks.take('r', broken), locks.take('r', async () => 'ok')]
    await expect(first).rejects.toThrow('at once')
    await expect(second).rejects.toThrow('at once')
    expect(await third).toBe('ok')
  })

  it('does not make the holders of other runs wait', async () => {
    const { hold, ends } = createHolders(2)
    const slow = hold(0, 'slow')
    ends[1]?.resolve(1)
    expect(await hold(1, 'other')).toBe(1)
    ends[0]?.resolve(0)
    await slow
  })
})

describe('the listeners of a key', () => {
  it('are called once for each notice, in any number, until each is removed', () => {
    const listeners = createListeners(expect.fail)
    const heard: string[] = []
    const remove = ['a', 'b', 'c'].map((name) => listeners.listen('key', () => heard.push(name)))
    for (const [index, expected] of ['abc', 'bc', 'c', ''].entries()) {
      heard.length = 0
      listeners.notify('other')
      listeners.notify('key')
      expect(heard.join('')).toBe(expected)
      remove[index]?.()
    }
  })

  it('stay if one that was removed is removed again, also after the last had gone', () => {
    const listeners = createListeners(expect.fail)
    const heard: string[] = []
    const removeFirst = listeners.listen('key', () => heard.push('first'))
    removeFirst()
    listeners.listen('key', () => heard.push('second'))
    removeFirst()
    listeners.notify('key')
    expect(heard).toEqual(['second'])
  })

  it('may remove themselves and others, and add others, while they are called', () => {
    const listeners = createListeners(expect.fail)
    const heard: string[] = []
    const removeOnce = listeners.listen('key', () => {
      heard.push('once')
      removeOnce()
    })
    listeners.listen('key', () => {
      heard.push('adds')
      listeners.listen('key', () => heard.push('added'))
    })
    listeners.notify('key')
    expect(heard).toEqual(['once', 'adds'])
    heard.length = 0
    listeners.notify('key')
    expect(heard).toEqual(['adds', 'added'])
  })
})

it('a listener that throws is reported, and the others are called all the same, each time', () => {
  const reports: unknown[] = []
  const statuses = createRunStatuses((error, runId) => reports.push([(error as Error).message, runId]))
  const heard: unknown[] = []
  const broken = () => {
    throw new Error('broken')
  }
  statuses.listen('r', broken)
  statuses.listen('r', (status) => heard.push(status.state))
  for (const state of ['live', 'waiting', 'live'] as const) statuses.set('r', { state })
  expect(heard).toEqual(['live', 'waiting', 'live'])
  expect(reports).toEqual(Array.from({ length: 3 }, () => ['broken', 'r']))
})

describe('the waits for producers', () => {
  function createWaiting(answers: readonly boolean[] = []) {
    const sleeper = createSleeper()
    const statuses = createRunStatuses(expect.fail)
    const expired: string[] = []
    const heard: unknown[] = []
    statuses.listen('r', (status) => heard.push(status))
    let time = 1_000
    const waits = createWaits({
      resumeWithin: 60_000,
      sleep: sleeper.sleep,
      now: () => time++,
      statuses,
      expire: async (runId) => answers[expired.push(runId) - 1] ?? true,
    })
    const statusOf = (runId: string) => statuses.of({ id: runId, state: 'waiting' })
    return { sleeper, waits, expired, heard, statusOf }
  }

  it.each([1, 2, 3])('end once each, after %i times', async (count) => {
    const { sleeper, waits, expired, heard } = createWaiting()
    for (let nth = 1; nth <= count; nth++) {
      waits.begin('r')
      expect(heard.at(-1)).toEqual({ state: 'waiting', waitUntil: 60_999 + nth })
      sleeper.wakeAll()
      await until(() => expired.length === nth)
    }
    expect(sleeper.slept).toEqual(Array.from({ length: count }, () => 60_000))
  })

  it('begin anew for a run that waits already, and the first does not end', async () => {
    const { sleeper, waits, expired, statusOf } = createWaiting()
    for (const until of [61_000, 61_001, 61_002]) {
      waits.begin('r')
      expect(statusOf('r')).toEqual({ state: 'waiting', waitUntil: until })
      expect(sleeper.sleeping()).toBe(1)
    }
    waits.cancel('r')
    expect([sleeper.sleeping(), statusOf('r')]).toEqual([0, { state: 'waiting' }])
    waits.cancel('r')
    waits.begin('r')
    sleeper.wakeAll()
    await until(() => expired.length === 1)
  })

  it('are tried again with longer pauses, up to 15 s, until the run is ended or its producer comes', async () => {
    const { sleeper, waits, expired } = createWaiting([false, false, false, false, false, false, false, false])
    waits.begin('r')
    for (let nth = 1; nth <= 8; nth++) {
      sleeper.wakeAll()
      await until(() => sleeper.slept.length === nth + 1)
    }
    expect(sleeper.slept).toEqual([60_000, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
    waits.cancel('r')
    expect(sleeper.sleeping()).toBe(0)
    expect(expired).toHaveLength(8)
  })

  it('of all runs end without effect when the process closes, and none begins after that', () => {
    const { sleeper, waits, statusOf } = createWaiting()
    for (const runId of ['r', 's', 't']) waits.begin(runId)
    waits.close()
    waits.begin('u')
    expect(sleeper.sleeping()).toBe(0)
    expect(['r', 's', 't', 'u'].map(statusOf)).toEqual(Array.from({ length: 4 }, () => ({ state: 'waiting' })))
  })

  it('can be cancelled if they began while the one before ended', async () => {
    const sleeper = createSleeper()
    const statuses = createRunStatuses(expect.fail)
    const ended = Promise.withResolvers<boolean>()
    let isExpiring = false
    const expire = () => {
      isExpiring = true
      return ended.promise
    }
    const waits = createWaits({ resumeWithin: 60_000, sleep: sleeper.sleep, now: () => 0, statuses, expire })
    waits.begin('r')
    sleeper.wakeAll()
    await until(() => isExpiring)
    waits.begin('r')
    ended.resolve(true)
    await new Promise(setImmediate)
    waits.cancel('r')
    expect(sleeper.sleeping()).toBe(0)
  })

  it('do not end a run whose wait was cancelled at the same moment', async () => {
    const { sleeper, waits, expired, statusOf } = createWaiting()
    waits.begin('r')
    sleeper.wakeAll()
    waits.cancel('r')
    waits.begin('s')
    sleeper.wakeAll()
    await until(() => expired.length > 0)
    expect(expired).toEqual(['s'])
    expect(statusOf('r')).toEqual({ state: 'waiting' })
  })
})
