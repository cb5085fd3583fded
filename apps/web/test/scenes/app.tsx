import { button, click, focusName, has, textOf, textsOf } from '../stage/hands.ts'
import { type Asked, server } from '../stage/server.ts'
import { eventually, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { listed, openApp, serve } from './world.tsx'

const heading = () => textOf('#main h1')

export const app: Scenes = {
  'asks for the agents until the server answers, and not again': async () => {
    serve()
    server.hold('GET /api/agents')
    await openApp()
    for (const end of ['drop', 'refuse'] as const) {
      const [asked] = server.open('GET /api/agents')
      if (end === 'drop') asked?.drop()
      else asked?.refuse(503)
      await settled()
      same(server.open('GET /api/agents').length, 0, 'the number of requests before the pause')
      await pass(3_000)
      same(server.open('GET /api/agents').length, 1)
    }
    server.open('GET /api/agents')[0]?.answer({ agents: [{ name: 'demo', title: 'Demo agent' }] })
    await pass(10_000)
    same([server.count('GET /api/agents'), textsOf('.agent b')], [3, ['Demo agent']])
  },

  'asks for nothing once it is left, although it was about to ask again': async () => {
    serve()
    for (const route of ['GET /api/agents', 'GET /api/threads', 'GET /api/threads/:id']) server.hold(route)
    await openApp('/t/t1')
    for (const asked of server.open('GET /api/agents')) asked.refuse(503)
    await settled()
  },

  'shows the page of each address, also back and forward': async () => {
    serve()
    const { router } = await openApp('/nowhere')
    same(heading(), 'Page not found')
    click(button('Start page'))
    await settled()
    same(heading(), 'Bring any agent’s stream')
    router.go({ name: 'thread', threadId: 't1' })
    await settled()
    same([heading(), document.title], ['Thread 1', 'Thread 1 · Millrace'])
    for (const [step, expected] of [
      [-1, 'Bring any agent’s stream'],
      [-1, 'Page not found'],
      [2, 'Thread 1'],
    ] as const) {
      history.go(step)
      await eventually(`the page after ${step} is “${expected}”`, () => heading() === expected)
    }
    router.go({ name: 'start' })
    await settled()
    same(document.title, 'Millrace')
  },

  'says that a thread does not exist, and that there is no token': async () => {
    const list = serve()
    server.hold('GET /api/threads/:id')
    await openApp('/t/gone')
    server.open('GET /api/threads/gone')[0]?.refuse(404)
    await settled()
    same([heading(), textOf('.trouble').includes('“gone”')], ['Thread not found', true])
    server.hold('GET /api/threads')
    list.cut()
    await eventually('it connects again', () => server.open('GET /api/threads').length === 1)
    for (const asked of server.open('GET /api/threads')) asked.refuse(401)
    await settled()
    same(heading(), 'This browser has no token')
  },

  'signs out: a failure can be repeated, and afterwards nothing is requested, whatever was under way': async () => {
    serve()
    server.hold('GET /api/agents')
    await openApp('/t/t1')
    const name = 'Sign out of this browser'
    click(button(name))
    server.open('POST /api/sign-out')[0]?.refuse(503, 'Not now.')
    await settled()
    same(has('.rail'), true)
    click(button('Not signed out. Not now.'))
    server.open('POST /api/sign-out')[0]?.answer(undefined, 204)
    await settled()
    same([heading(), has('.rail'), focusName()], ['You are signed out', false, 'H1'])
    const count = server.asked.length
    for (const asked of server.open('GET \\S+')) asked.refuse(401)
    await pass(30_000)
    document.dispatchEvent(new Event('visibilitychange'))
    await settled()
    same(
      server.asked.slice(count).map(({ route }) => route),
      [],
    )
  },

  'follows the list while it is seen, and at once when it is seen again, without any other request': async () => {
    serve()
    await openApp()
    const lists = () => server.asked.filter(({ route }) => route === 'GET /api/threads')
    const open = () => lists().filter(({ signal }) => signal?.aborted === false).length
    await pass(9_000)
    same([lists().length, open(), lists()[0]?.isForEvents], [1, 1, true])
    let seen: DocumentVisibilityState = 'hidden'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => seen })
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(9_000)
    same([lists().length, open()], [1, 0], 'the lists of a hidden page')
    seen = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    await settled()
    same([lists().length, open()], [2, 1])
    Reflect.deleteProperty(document, 'visibilityState')
  },

  'asks an older server, which has no stream, when it is opened and seen again': async () => {
    serve()
    server.always('GET /api/threads', ({ query }: Asked) => ({ threads: query.has('open') ? [] : [listed(1)] }))
    await openApp()
    same(textsOf('.mr-thread-title'), ['Thread 1'])
    server.always('GET /api/threads', ({ query }: Asked) => ({ threads: query.has('open') ? [] : [listed(2)] }))
    document.dispatchEvent(new Event('visibilitychange'))
    await settled()
    same(textsOf('.mr-thread-title'), ['Thread 2'])
  },
}
