import { describe, expect, it } from 'vitest'
import { createWorld, ending, settle } from '../../test/client/platform.ts'
import { NAME, openBrowser } from '../../test/client/tabs.ts'
import { createRunStore } from './run-store.ts'

/** The counts of every tab. */
const seen = new Map([['messages', 1]])

describe('tabs that watch one run', () => {
  it('share one connection and all show the whole run', async () => {
    const { server, browser, openTab, whole } = openBrowser('Hello ')
    const tabs = [openTab(), openTab(), openTab()]
    await settle()
    server.append({ type: 'block-delta', blockId: 'b', text: 'there' })
    await settle()
    expect(server.requests.length).toBe(1)
    for (const tab of tabs) expect(tab.view()).toMatchObject({ connection: 'live', seq: 5, run: whole() })
    server.append(...ending)
    await settle()
    expect(server.requests.length).toBe(1)
    for (const tab of tabs)
      expect(tab.view()).toEqual({ connection: 'ended', seq: 8, receivedAt: expect.any(Number), run: whole(), seen })
    expect(browser.waiting(NAME)).toBe(0)
  })

  it('continue when the leading tab closes', async () => {
    const { server, openTab, whole } = openBrowser('Hello ')
    const leader = openTab()
    await settle()
    const others = [openTab(), openTab()]
    await settle()
    leader.store.stop()
    await settle()
    server.append({ type: 'block-delta', blockId: 'b', text: 'there' }, ...ending)
    await settle()
    expect(leader.view()).toMatchObject({ connection: 'idle', seq: 4 })
    for (const tab of others)
      expect(tab.view()).toEqual({ connection: 'ended', seq: 8, receivedAt: expect.any(Number), run: whole(), seen })
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4'])
  })

  it('take over from a leading tab that has fallen silent, which then follows', async () => {
    const { server, openTab, whole } = openBrowser('Hello ')
    const frozen = openTab()
    await settle()
    const other = openTab()
    await settle()
    await other.world.advance(37_400)
    expect(server.requests.length).toBe(1)
    await other.world.advance(200)
    await settle()
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4'])
    expect(server.viewers()).toBe(1)
    server.append({ type: 'block-delta', blockId: 'b', text: 'there' })
    await settle()
    for (const tab of [frozen, other]) expect(tab.view()).toMatchObject({ connection: 'live', seq: 5, run: whole() })
    other.store.stop()
    await settle()
    server.append(...ending)
    await settle()
    expect(frozen.view()).toEqual({ connection: 'ended', seq: 8, receivedAt: expect.any(Number), run: whole(), seen })
  })

  it('do not take over while they are hidden', async () => {
    const { server, openTab } = openBrowser('Hello ')
    openTab()
    await settle()
    const hidden = openTab()
    hidden.world.screen.isHidden = true
    await settle()
    await hidden.world.advance(200_000)
    expect(server.requests.length).toBe(1)
  })

  it('show the state of the shared connection, and can request an attempt now', async () => {
    const { server, openTab } = openBrowser('Hello ')
    const leader = openTab()
    await settle()
    const other = openTab()
    await settle()
    server.answer.status = 503
    server.cut()
    await settle()
    expect(other.view()).toMatchObject({ connection: 'waiting', retryAt: leader.view().retryAt })
    server.answer.status = 200
    other.store.retryNow()
    await settle()
    expect(other.view().connection).toBe('live')
  })

  it('say that the leading tab is offline, again and again', async () => {
    const { server, openTab } = openBrowser('Hello ')
    const leader = openTab()
    await settle()
    const other = openTab()
    await settle()
    for (const isOnline of [false, true, false, true]) {
      leader.world.screen.isOnline = isOnline
      server.answer.status = isOnline ? 200 : 503
      if (isOnline) leader.world.wake('online')
      else server.cut()
      await settle()
      expect(other.view().connection).toBe(isOnline ? 'live' : 'offline')
    }
  })

  it('take over although other following tabs ask again and again', async () => {
    const { server, openTab } = openBrowser('Hello ')
    const silent = openTab()
    await settle()
    const [one, other] = [openTab(), openTab()]
    await settle()
    silent.inbox.isBlocked = true
    for (let asked = 0; asked < 8 && server.requests.length === 1; asked++) {
      await one.world.advance(6_000)
      other.store.retryNow()
      await settle()
    }
    expect(server.requests.length).toBe(2)
  })

  it('are refused each by its own request', async () => {
    const { server, openTab } = openBrowser('Hello ')
    server.answer.status = 401
    const tabs = [openTab(), openTab()]
    await settle()
    for (const tab of tabs) expect(tab.view()).toMatchObject({ connection: 'failed', error: { status: 401 } })
    expect(server.requests.length).toBe(2)
  })

  it('ignore messages of a tab of another version', async () => {
    const { server, browser, openTab } = openBrowser('Hello ')
    const tabs = [openTab(), openTab()]
    await settle()
    const stranger = browser.openChannel(NAME)
    for (const message of [
      null,
      'ask',
      { type: 'ask' },
      { type: 'entries' },
      { type: 'constructor' },
      { type: 'new' },
    ]) {
      stranger.postMessage(message)
    }
    stranger.postMessage({ type: 'entries', entries: [null, { seq: 5 }] })
    await settle()
    for (const tab of tabs) expect(tab.view()).toMatchObject({ connection: 'live', seq: 4 })
    expect(server.requests.length).toBe(1)
  })

  it('stream separately if locks are refused or sharing is switched off', async () => {
    const { server, browser, openTab, whole } = openBrowser('Hello ')
    openTab()
    await settle()
    const refused = { request: () => Promise.reject(new Error('not here')) }
    const location = { baseUrl: 'http://host', runId: 'r', fetch: server.fetch, openChannel: browser.openChannel }
    const apart = [{ locks: refused }, { locks: browser.locks, shareAcrossTabs: false }].map((settings) => {
      const world = createWorld()
      const store = createRunStore({ ...location, ...world.options, ...settings })
      store.start()
      return { world, store }
    })
    await settle()
    for (const { world, store } of apart) {
      world.frame()
      expect(store.snapshot()).toMatchObject({ connection: 'live', seq: 4, run: whole() })
    }
    expect(server.viewers()).toBe(3)
  })
})
