import type { LastRun } from '@millrace/core/client'
import { NOON } from '../stage/clock.ts'
import { button, click, fill, find, has, press, textOf, textsOf } from '../stage/hands.ts'
import { type Asked, server } from '../stage/server.ts'
import { eventually, type Scenes, same, settled } from '../stage/stage.tsx'
import { listed, openApp, serve } from './world.tsx'

const START = 'POST /api/threads/:id/runs'
interface Sent {
  readonly agent?: string
  readonly input?: unknown
}

const sentIn = (asked: Asked | undefined): Sent => (asked?.body ?? {}) as Sent

export const start: Scenes = {
  'opens the thread at once, with the message, and goes on when the server has answered': async () => {
    serve()
    const { router } = await openApp()
    fill('textarea', 'Turn the wheel')
    press('Enter')
    await settled()
    same([router.snapshot().name, textOf('.mr-user-box').includes('Turn the wheel')], ['thread', true])
    const [asked] = server.open(START)
    const { input, agent } = sentIn(asked)
    same([input, agent], [{ text: 'Turn the wheel' }, 'demo'])
    asked?.answer({ runId: 'run_1', threadId: 't1' })
    await settled()
    same(router.snapshot().name, 'thread')
  },

  'gives the message back and says why if it could not be sent, twice; the third time it is sent': async () => {
    serve()
    const { router } = await openApp()
    click(find('.agent:nth-of-type(2) input'))
    fill('textarea', 'Turn the wheel')
    for (const round of [1, 2]) {
      press('Enter', {}, find('textarea'))
      await settled()
      same(sentIn(server.open(START)[0]).agent, 'wheel')
      server.open(START)[0]?.refuse(400, 'The wheel is stuck.')
      await settled()
      same(
        [router.snapshot().name, find<HTMLTextAreaElement>('textarea').value],
        ['start', 'Turn the wheel'],
        `round ${round}`,
      )
      same(textOf('[role=alert]'), 'Not sent. The wheel is stuck.')
    }
    press('Enter', {}, find('textarea'))
    await settled()
    server.open(START)[0]?.answer({ runId: 'run_1', threadId: 't1' })
    await settled()
    same(router.snapshot().name, 'thread')
    click(button('New thread'))
    await settled()
    same([find<HTMLTextAreaElement>('textarea').value, has('[role=alert]')], ['', false])
  },

  'offers the demo run only while the demo is chosen': async () => {
    serve()
    await openApp()
    const [demo, other] = [...document.querySelectorAll<HTMLInputElement>('.agents input')]
    same(textsOf('button').includes('Start the demo run'), true)
    other?.click()
    await settled()
    same(textsOf('button').includes('Start the demo run'), false)
    demo?.click()
    await settled()
    same(textsOf('button').includes('Start the demo run'), true)
  },

  'leaves the user where they are if a thread fails to start later': async () => {
    serve()
    const { router } = await openApp()
    click(button('Start the demo run'))
    await settled()
    router.go({ name: 'thread', threadId: 't1' })
    await settled()
    server.open(START)[0]?.refuse(400, 'The wheel is stuck.')
    await settled()
    same(router.snapshot(), { name: 'thread', threadId: 't1' })
    router.go({ name: 'start' })
    await settled()
    same(textOf('[role=alert]'), 'Not sent. The wheel is stuck.')
  },

  'announces a stream of another program that begins now, once, and says when it has ended': async () => {
    const live = (id: string, fields: Partial<LastRun> = {}) =>
      listed(9, {
        id,
        title: '',
        lastRun: {
          id: `run_${id}`,
          state: 'live',
          format: 'codex-exec',
          seq: 3,
          createdAt: NOON,
          asks: false,
          ...fields,
        },
      })
    const list = serve([live('before'), listed(2)])
    await openApp()
    same(textsOf('.arrival'), [], 'what was under way before')
    list.send('thread', live('before'))
    list.send('thread', live('own', { agent: 'demo' }))
    list.send('thread', listed(2))
    await settled()
    same(textsOf('.arrival'), [], 'what is no stream, or no news')
    list.send('thread', live('t7'))
    list.send('thread', { ...live('t7'), title: 'Mend the weir' })
    await settled()
    same(textsOf('.arrival'), ['A stream of Codex is arriving · Mend the weirWatch it'])
    list.send('thread', live('t7', { state: 'ended', outcome: 'success' }))
    await settled()
    same(textsOf('.arrival'), ['A stream of Codex has arrivedOpen it'])
    click('.arrival')
    await settled()
    same(location.pathname, '/t/t7')
  },

  'a recording of the app goes the way of every file that is dropped': async () => {
    serve()
    await openApp()
    const buttons = textsOf('.samples button')
    same(buttons.length, 3)
    click(find('.samples button'))
    await eventually(
      'the recording is asked for',
      () => server.open('GET /recordings/dropped-stream.jsonl').length === 1,
    )
    server.open('GET /recordings/dropped-stream.jsonl')[0]?.refuse(404, 'No.')
    await settled()
    same(textOf('.samples [role=alert]').includes('dropped-stream.jsonl'), true)
    click(find('.samples button'))
    await eventually('it is asked for again', () => server.open('GET /recordings/dropped-stream.jsonl').length === 1)
    server
      .open('GET /recordings/dropped-stream.jsonl')[0]
      ?.answer(new Response('{"type":"text","data":{"content":"A"}}\n'.repeat(3)))
    await eventually('a thread is created', () => server.open('POST /api/threads').length === 1)
    same(has('.samples [role=alert]'), false)
  },

  'replaces the step of a thread that did not start: back leads to the page before': async () => {
    serve()
    const { router } = await openApp('/t/t1')
    click(button('New thread'))
    await settled()
    const steps = history.length
    click(button('Start the demo run'))
    await settled()
    server.open(START)[0]?.refuse(400)
    await settled()
    same([history.length, router.snapshot().name], [steps + 1, 'start'])
  },
}
