import { button, click, fill, find, has, press, textOf } from '../stage/hands.ts'
import { type Asked, server } from '../stage/server.ts'
import { eventually, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { detail, listed, openApp, run, serve } from './world.tsx'

const heading = () => textOf('#main h1')
const live = detail({ runs: [run({ state: 'live', outcome: undefined as never })], chatEvents: [] })
const STREAM = 'GET /api/runs/:id/stream'
const entry = (seq: number, event: object) => ({ seq, at: 1_000 + seq, rawThrough: seq, event })

/** The thread of the page has a live run; returns its stream. */
async function openLive() {
  serve([listed(1)], live)
  const opened = await openApp('/t/t1')
  await eventually('the run is streamed', () => server.open(STREAM).length === 1)
  const stream = (server.open(STREAM)[0] as Asked).stream()
  await settled()
  return { ...opened, stream }
}

/** The stream of the thread that is open. */
async function openChanges() {
  const route = 'GET /api/threads/t1/stream'
  await eventually('the thread is followed', () => server.open(route).length === 1)
  return (server.open(route)[0] as Asked).stream()
}

export const thread: Scenes = {
  'shows a title that was changed elsewhere, also after an own one': async () => {
    const list = serve([listed(1)])
    server.always('PATCH /api/threads/:id', (asked: Asked) => {
      const { title } = asked.body as { readonly title: string }
      list.send('thread', listed(1, { title }))
      server.always('GET /api/threads/:id', detail({ title }))
      return { id: 't1', title }
    })
    await openApp('/t/t1')
    const stream = await openChanges()
    for (const [own, other] of [
      ['Mine', 'Theirs'],
      ['Mine again', 'Theirs again'],
    ] as const) {
      click('.title-button')
      fill('.title-input', own)
      press('Enter')
      await settled()
      same([heading(), textOf('.mr-thread-title')], [own, own])
      list.send('thread', listed(1, { title: other }))
      stream.send({ thread: { id: 't1', title: other }, runs: [run()] }, 'thread')
      await eventually('the title is there', () => heading() === other)
      same([textOf('.mr-thread-title'), document.title], [other, `${other} · Millrace`])
    }
  },

  'never shows the old title after a new one, however late the next frame is': async () => {
    serve([listed(1)])
    await openApp('/t/t1')
    await openChanges()
    const titles: string[] = []
    const observer = new MutationObserver(() => titles.push(heading()))
    window.requestAnimationFrame = () => 0
    for (const title of ['One', 'Two']) {
      click('.title-button')
      fill('.title-input', title)
      press('Enter')
      same(heading(), title)
      observer.observe(find('#main h1'), { childList: true, subtree: true, characterData: true })
      await settled()
      server.always('GET /api/threads/:id', detail({ title }))
      server.open('PATCH /api/threads/:id')[0]?.answer({ id: 't1', title })
      await settled()
      same([heading(), titles.filter((each) => each !== title)], [title, []])
      observer.disconnect()
      titles.length = 0
    }
  },

  'does not show a title that was entered in one thread in another, nor when the thread is opened again': async () => {
    serve([listed(1), listed(2)])
    const { router } = await openApp('/t/t1')
    click('.title-button')
    fill('.title-input', 'Mine')
    press('Enter')
    await settled()
    for (const threadId of ['t2', 't1']) {
      server.always('GET /api/threads/:id', detail({ id: threadId, title: `The title of ${threadId}` }))
      router.go({ name: 'thread', threadId })
      await eventually('the thread has its title', () => heading() === `The title of ${threadId}`)
    }
    server.open('PATCH /api/threads/:id')[0]?.refuse(409)
    await settled()
    same(heading(), 'The title of t1')
  },

  'shows a run that began elsewhere, live, and leaves the composer as it is': async () => {
    serve([listed(1)])
    await openApp('/t/t1')
    fill('textarea', 'A draft')
    const changes = await openChanges()
    changes.send(run({ id: 'run_2', state: 'live', outcome: undefined as never, seq: 0 }), 'run')
    await eventually('the run is streamed', () => server.open(STREAM).length === 1)
    const stream = server.open(STREAM)[0]?.stream()
    stream?.send(entry(1, { type: 'run-start' }))
    await pass(300)
    same([textOf('.bar .badge-live'), has('.mr-composer .mr-stop')], ['Live', true])
    same(find<HTMLTextAreaElement>('textarea').value, 'A draft')
    stream?.send(entry(2, { type: 'run-end', outcome: 'success' }))
    await pass(300)
    same([has('.stop'), server.count('GET /api/threads/t1')], [false, 1])
  },

  'says that the thread was deleted elsewhere': async () => {
    serve([listed(1)])
    await openApp('/t/t1')
    const changes = await openChanges()
    changes.send({ id: 't1' }, 'deleted')
    await eventually('the page says so', () => heading() === 'Thread not found')
  },

  'stops the run with a button that goes when the run has ended, and its focus moves to the composer': async () => {
    const { stream } = await openLive()
    stream.send(entry(1, { type: 'run-start' }))
    await pass(300)
    find('.mr-composer .mr-stop').focus()
    click('.mr-composer .mr-stop')
    await settled()
    same([textOf('.mr-composer .mr-stop'), server.count('POST /api/runs/:id/stop')], ['Stopping…', 1])
    click('.mr-composer .mr-stop')
    await settled()
    same(server.count('POST /api/runs/:id/stop'), 1, 'the number of stops after a second click')
    server.open('POST /api/runs/:id/stop')[0]?.answer({ runId: 'run_1', stopped: true })
    stream.send(entry(2, { type: 'run-end', outcome: 'cancelled' }))
    await pass(300)
    same(
      [has('.stop'), document.activeElement?.tagName, textOf('.bar .badge-stopped')],
      [false, 'TEXTAREA', 'Stopped by you'],
    )
  },

  'leaves the focus alone when a run ends that was not stopped from its button': async () => {
    const { stream } = await openLive()
    stream.send(entry(1, { type: 'run-start' }))
    await pass(300)
    find('.title-button').focus()
    stream.send(entry(2, { type: 'run-end', outcome: 'success' }))
    await pass(300)
    same([has('.stop'), document.activeElement === find('.title-button')], [false, true])
  },

  'says how long nothing has come, and starts anew with each entry': async () => {
    const { stream } = await openLive()
    for (const seq of [1, 2, 3]) {
      stream.send(entry(seq, seq === 1 ? { type: 'run-start' } : { type: 'status', message: `Step ${seq}` }))
      await pass(1_000)
      same(textOf('.mr-status .mr-tone-live'), 'Streaming', `after entry ${seq}`)
      await pass(7_000)
      same(textOf('.mr-status .mr-tone-live').startsWith('Model silent'), true, `the silence after entry ${seq}`)
    }
  },

  'is shown in the list as it is on its page, and as the list says once it is left': async () => {
    const { stream, router } = await openLive()
    stream.send(entry(1, { type: 'run-start' }))
    await pass(300)
    same(has('.mr-thread-row .mr-state-live'), true)
    router.go({ name: 'start' })
    await pass(3_000)
    same([has('.mr-thread-row .mr-state-live'), has('.mr-thread-row .mr-state-empty')], [false, true])
  },

  'is disconnected when it is left, and is shown at once when it is opened again': async () => {
    const { router } = await openLive()
    const asked = server.asked.findLast(({ route }) => route.endsWith('/stream'))
    router.go({ name: 'start' })
    await settled()
    same(asked?.signal?.aborted, true)
    server.hold('GET /api/threads/:id')
    router.go({ name: 'thread', threadId: 't1' })
    await settled()
    same([heading(), has('.trouble')], ['Thread 1', false])
  },

  'shows the trouble of an action until it is dismissed': async () => {
    const { stream } = await openLive()
    stream.send(entry(1, { type: 'run-start' }))
    await pass(300)
    for (const round of [1, 2]) {
      click('.mr-composer .mr-stop')
      await settled()
      server.open('POST /api/runs/:id/stop')[0]?.refuse(409, `Not yet ${round}.`)
      await settled()
      same(textOf('.dock-trouble').startsWith(`Not yet ${round}.`), true)
      click(button('Dismiss'))
      same(has('.dock-trouble'), false)
    }
  },
}
