import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createRouter } from '../src/router.ts'
import { addressOf, type Route, routeOf } from '../src/routes.ts'
import { createOpenThreads } from '../src/threads/open-threads.ts'

/** A window with a history. */
function openWindow(address: string) {
  const steps = [new URL(address, 'http://127.0.0.1')]
  let at = 0
  const target = new EventTarget()
  const put = (isNew: boolean, next: string) => {
    if (isNew) at++
    steps.splice(at, steps.length, new URL(next, steps[at] ?? steps.at(-1)))
  }
  const page = {
    addEventListener: target.addEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
    get location() {
      return steps[at] as URL
    },
    history: {
      pushState: (_state: unknown, _title: string, next: string) => put(true, next),
      replaceState: (_state: unknown, _title: string, next: string) => put(false, next),
    },
  }
  const go = (by: number) => {
    at += by
    target.dispatchEvent(new Event('popstate'))
  }
  return {
    page: page as unknown as Window,
    go,
    addresses: () => steps.map(({ href }) => href.replace(/^http:\/\/[^/]+/, '')),
  }
}

const thread = (threadId: string, fields = {}): Route => ({ name: 'thread', threadId, ...fields })

const routes = fc.oneof(
  fc.constant<Route>({ name: 'start' }),
  fc.record({
    name: fc.constant('thread' as const),
    threadId: fc.string({ minLength: 1, unit: 'grapheme' }).filter((id) => id !== '.' && id !== '..'),
    runId: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    seq: fc.option(fc.nat({ max: 999_999_999_999_999 }), { nil: undefined }),
  }),
)

describe('the router', () => {
  it('reads back every address that it writes', () =>
    holds(
      fc.property(routes, (route) => {
        expect(routeOf(new URL(addressOf(route as Route), 'http://127.0.0.1'))).toEqual(
          JSON.parse(JSON.stringify(route)),
        )
      }),
      200,
    ))

  it('adds a step for each page, none for the page that is shown, and replaces one if asked to', () => {
    const { page, addresses } = openWindow('/')
    const { go, snapshot } = createRouter(page, '')
    go(thread('a'))
    go(thread('a'))
    go(thread('a', { seq: 3 }))
    go(thread('a', { runId: 'r' }))
    go(thread('b'), 'replace')
    go({ name: 'start' })
    expect(addresses()).toEqual(['/', '/t/a', '/t/a#seq-3', '/t/b', '/'])
    expect(snapshot()).toEqual({ name: 'start' })
  })

  it('follows the browser back and forward, and tells each listener once per move until it leaves', () => {
    const { page, go } = openWindow('/')
    const router = createRouter(page, '')
    const [stays, leaves] = [vi.fn(), vi.fn()]
    router.subscribe(stays)
    const leave = router.subscribe(leaves)
    router.go(thread('a'))
    router.go(thread('b'))
    const before = router.snapshot()
    expect(router.snapshot()).toBe(before)
    leave()
    for (const [by, expected] of [
      [-1, thread('a')],
      [-1, { name: 'start' }],
      [2, thread('b')],
    ] as const) {
      go(by)
      expect(router.snapshot()).toEqual(expected)
    }
    page.dispatchEvent(new Event('hashchange'))
    expect([leaves.mock.calls.length, stays.mock.calls.length]).toEqual([2, 6])
  })

  it('reads and writes every address below the base path', () => {
    const { page, addresses } = openWindow('/agents/t/a')
    const { go, snapshot, hrefOf } = createRouter(page, '/agents')
    expect(snapshot()).toEqual(thread('a'))
    go(thread('b', { seq: 3 }))
    go({ name: 'start' })
    expect(addresses()).toEqual(['/agents/t/a', '/agents/t/b#seq-3', '/agents/'])
    expect([snapshot(), hrefOf(thread('c'))]).toEqual([{ name: 'start' }, '/agents/t/c'])
  })

  it('knows an address from any other, with a slash at its end or a strange hash', () => {
    const at = (address: string) => routeOf(new URL(address, 'http://127.0.0.1'))
    expect(at('/t/a/')).toEqual(thread('a'))
    expect(at('/t/a?run=r&other=x')).toEqual(thread('a', { runId: 'r' }))
    expect(at('/t/a#seq-9999999999999999')).toEqual(thread('a'))
    expect(at('/t/a/b')).toEqual({ name: 'unknown', path: '/t/a/b' })
    expect(addressOf(at('/nowhere'))).toBe('/nowhere')
  })
})

describe('the open threads', () => {
  it('keep the store of a thread that was left a moment ago, and only of the last four', () => {
    const threads = createOpenThreads('')
    const first = threads.open('t0')
    for (const id of ['t1', 't2', 't3']) threads.open(id)
    expect(threads.open('t0')).toBe(first)
    for (const id of ['t4', 't5', 't6']) threads.open(id)
    expect(threads.open('t0')).toBe(first)
    for (const id of ['t7', 't8', 't9', 't10']) threads.open(id)
    expect(threads.open('t0')).not.toBe(first)
  })

  it('give every new thread its own id, under which it is found again', () => {
    const threads = createOpenThreads('')
    const [one, other] = [threads.create(), threads.create()]
    expect(one.threadId).not.toBe(other.threadId)
    expect(threads.open(one.threadId)).toBe(one.store)
    expect(one.store.snapshot().thread.id).toBe(one.threadId)
  })
})
