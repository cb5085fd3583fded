import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, createWorld, ending, settle } from '../../test/client/platform.ts'
import { openBrowser, word } from '../../test/client/tabs.ts'
import { createRunLog } from './run-log.ts'

function openLog(...words: readonly string[]) {
  const server = createRunServer(...answerEvents(...words))
  const world = createWorld()
  const log = createRunLog({ baseUrl: 'http://host', runId: 'r', ...world.options, fetch: server.fetch })
  const view = () => {
    world.frame()
    return log.snapshot()
  }
  return { server, world, log, view }
}

describe('the log of a run in a client', () => {
  it('has every entry in order, as the server has them, until the run has ended', async () => {
    const { server, log, view } = openLog('Hello ', 'there')
    expect(view()).toEqual({ length: 0, connection: 'idle' })
    log.start()
    await settle()
    expect(view()).toEqual({ length: 5, connection: 'live' })
    const array = log.entries()
    server.append(...ending)
    await settle()
    expect(view()).toEqual({ length: 8, connection: 'ended' })
    expect(log.entries()).toEqual(server.entries)
    expect(log.entries()).toBe(array)
  })

  it('asks after a cut for what it does not have, and publishes once per frame', async () => {
    const { server, world, log } = openLog('Hello ')
    let publications = 0
    log.subscribe(() => publications++)
    log.start()
    await settle()
    server.cut()
    await settle()
    for (let count = 0; count < 300; count++) server.append(word)
    await settle()
    world.frame()
    expect(publications).toBe(1)
    expect(log.entries()).toEqual(server.entries)
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4'])
  })

  it('keeps its entries when it is stopped, and goes on from there', async () => {
    const { server, log, view } = openLog('Hello ')
    log.start()
    await settle()
    log.stop()
    server.append(word, ...ending)
    await settle()
    expect(view()).toMatchObject({ length: 4 })
    log.start()
    await settle()
    expect(view()).toEqual({ length: 8, connection: 'ended' })
    log.start()
    await settle()
    expect(server.requests.map(({ url }) => url.split('after=')[1])).toEqual(['0', '4'])
  })

  it('shares the connection of the run’s store in the same tab', async () => {
    const { server, browser, openTab } = openBrowser('Hello ')
    const tab = openTab()
    await settle()
    const { locks, openChannel } = browser
    const location = { baseUrl: 'http://host', runId: 'r', fetch: server.fetch }
    const log = createRunLog({ ...location, ...tab.world.options, locks, openChannel })
    log.start()
    await settle()
    server.append(word, ...ending)
    await settle()
    expect(log.entries()).toEqual(server.entries)
    expect(tab.view()).toMatchObject({ connection: 'ended', seq: 8 })
    // What was there before the log was opened is fetched once.
    expect(server.requests.length).toBeLessThanOrEqual(2)
    expect(server.viewers()).toBe(0)
  })
})
