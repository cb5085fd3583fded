import { describe, expect, it } from 'vitest'
import { settle } from '../../test/client/platform.ts'
import { openBrowser, word } from '../../test/client/tabs.ts'

describe('tabs that have missed entries', () => {
  it('send a late tab the entries it missed, without a request', async () => {
    const { server, openTab, whole } = openBrowser('Hello ', 'there')
    openTab()
    await settle()
    const late = openTab()
    await settle()
    expect(late.view()).toMatchObject({ connection: 'live', seq: 5, run: whole() })
    expect(server.requests.length).toBe(1)
  })

  it('make a late tab fetch the entries they no longer keep, and only those', async () => {
    const { server, openTab, whole } = openBrowser(...Array.from({ length: 5_000 }, () => 'word '))
    const first = openTab()
    await settle()
    first.store.stop()
    first.store.start()
    await settle()
    const late = openTab()
    await settle()
    server.append({ type: 'block-delta', blockId: 'b', text: 'and one' })
    await settle()
    expect(late.view()).toMatchObject({ connection: 'live', seq: 5_004, run: whole() })
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '5003', '0'])
    expect(server.viewers()).toBe(1)
  })

  it('ask for entries that were passed on during a fetch', async () => {
    const { server, openTab, whole } = openBrowser(...Array.from({ length: 10 }, () => 'word '))
    const first = openTab()
    await settle()
    first.store.stop()
    first.store.start()
    await settle()
    const late = openTab(async (url, init) => {
      const response = await server.fetch(url, init)
      server.append(word)
      await settle()
      return response
    })
    await settle()
    await settle()
    expect(late.view()).toMatchObject({ seq: 14, run: whole() })
    expect(server.requests.length).toBe(3)
  })

  it('do not flood a server that refuses their fetches', async () => {
    const { server, openTab } = openBrowser(...Array.from({ length: 10 }, () => 'word '))
    const first = openTab()
    await settle()
    first.store.stop()
    first.store.start()
    await settle()
    server.answer.status = 503
    const late = openTab()
    await settle()
    expect(server.requests.length).toBe(3)
    server.answer.status = 200
    await Promise.all([first.world.advance(6_000), late.world.advance(6_000)])
    server.send(': ping\n\n')
    await settle()
    expect(late.view().seq).toBe(13)
  })

  it('ask for missed entries as soon as the next entry or sign of life reveals the gap', async () => {
    const { server, openTab, whole } = openBrowser('Hello ')
    const leader = openTab()
    await settle()
    const other = openTab()
    await settle()
    const miss = async () => {
      other.inbox.isBlocked = true
      server.append(word)
      await settle()
      other.inbox.isBlocked = false
    }
    await miss()
    server.append(word)
    await settle()
    expect(other.view()).toMatchObject({ seq: 6, run: whole() })
    await miss()
    await leader.world.advance(6_000)
    server.send(': ping\n\n')
    await settle()
    expect(other.view()).toMatchObject({ seq: 7, run: whole() })
    expect(server.requests.length).toBe(1)
  })
})
