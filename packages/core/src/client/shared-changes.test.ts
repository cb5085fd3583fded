import { describe, expect, it } from 'vitest'
import { createBrowser, createWorld, settle } from '../../test/client/platform.ts'
import { createChangeServer } from '../../test/client/threads.ts'
import type { ListedThread } from '../api/api-types.ts'
import { createThreadListFeed } from './change-feeds.ts'
import type { FeedStatus } from './feed.ts'

const NAME = 'millrace:changes:http://host/api/threads?limit=9'
const thread = (id: string, title = ''): ListedThread => ({ id, title })

/** Tabs of one browser that follow the list of one server. */
function openBrowser() {
  const server = createChangeServer()
  server.isOn = true
  server.first = { name: 'threads', data: { threads: [thread('a')] } }
  const browser = createBrowser()
  function openTab() {
    const world = createWorld()
    let titles: { [id: string]: string } = {}
    const statuses: FeedStatus[] = []
    const feed = createThreadListFeed(
      { baseUrl: 'http://host', limit: 9, ...world.options, ...browser, fetch: (_url, init) => server.fetch(init) },
      {
        threads({ threads }) {
          titles = Object.fromEntries(threads.map(({ id, title }) => [id, title]))
          return 'more'
        },
        thread({ id, title }) {
          titles[id] = title
          return 'more'
        },
        deleted({ id }) {
          delete titles[id]
          return id === 'last' ? 'ended' : 'more'
        },
      },
      (status) => statuses.push(status),
    )
    feed.start()
    return { feed, world, statuses, titles: () => ({ ...titles }) }
  }
  return { server, browser, openTab }
}

describe('tabs that follow the same changes', () => {
  it('share one connection, and a tab that comes later has everything', async () => {
    const { server, openTab } = openBrowser()
    const first = openTab()
    await settle()
    server.send('thread', thread('b', 'One'))
    server.send('thread', thread('b', 'Two'))
    server.send('thread', thread('c'))
    server.send('deleted', { id: 'a' })
    await settle()
    const second = openTab()
    await settle()
    for (const tab of [first, second]) expect(tab.titles()).toEqual({ b: 'Two', c: '' })
    server.send('thread', thread('c', 'Three'))
    await settle()
    for (const tab of [first, second]) expect(tab.titles()).toEqual({ b: 'Two', c: 'Three' })
    expect([server.opened, server.viewers()]).toEqual([1, 1])
  })

  it('go on with the next tab when one is closed or hidden', async () => {
    const { server, browser, openTab } = openBrowser()
    const [first, second, third] = [openTab(), openTab(), openTab()]
    await settle()
    first.feed.stop()
    await settle()
    expect([server.opened, server.viewers()]).toEqual([2, 1])
    second.world.hide()
    await settle()
    server.send('thread', thread('d'))
    await settle()
    expect([server.opened, second.titles(), third.titles()]).toEqual([3, { a: '' }, { a: '', d: '' }])
    server.first = { name: 'threads', data: { threads: [thread('d')] } }
    second.world.wake('visible')
    await settle()
    expect([server.opened, server.viewers(), second.titles()]).toEqual([3, 1, { a: '', d: '' }])
    third.feed.stop()
    await settle()
    second.feed.stop()
    await settle()
    expect([server.viewers(), browser.waiting(NAME)]).toEqual([0, 0])
  })

  it('learn why the connection waits, and each finds out itself that the server refuses', async () => {
    const { server, openTab } = openBrowser()
    const [first, second] = [openTab(), openTab()]
    await settle()
    const { fetch } = server
    server.fetch = async () => Response.json({ error: { code: 'busy', message: 'Busy.' } }, { status: 503 })
    server.cut()
    await settle()
    for (const { statuses } of [first, second])
      expect(statuses.at(-1)).toMatchObject({ connection: 'waiting', error: { status: 503, code: 'busy' } })
    server.fetch = fetch
    server.isOn = false
    await first.world.advance(20_000)
    await settle()
    for (const { statuses } of [first, second])
      expect(statuses.at(-1)).toMatchObject({ connection: 'failed', error: { status: 404 } })
    expect(server.refused).toBe(2)
  })

  it('all end with the end', async () => {
    const { server, browser, openTab } = openBrowser()
    const [first, second] = [openTab(), openTab()]
    await settle()
    server.send('deleted', { id: 'last' })
    await settle()
    expect([server.viewers(), server.opened, browser.waiting(NAME)]).toEqual([0, 1, 0])
    expect(first.statuses.at(-1)).toEqual({ connection: 'ended' })
    second.feed.stop()
  })
})
