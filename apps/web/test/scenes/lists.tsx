import { button, click, fill, find, focusName, has, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { drawn, eventually, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { listed, openApp, serve, serveList } from './world.tsx'

const LIST = 'GET /api/threads'
const PAGE = 60
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => listed(from + index))

/** A server of 130 threads in pages; the scene may refuse the older ones. */
function servePages(count = 130) {
  const state = { refuses: false }
  serve()
  const list = serveList(({ query }) => {
    if (query.has('open')) return { threads: [] }
    if (query.has('after') && state.refuses)
      return Response.json({ error: { code: 'x', message: 'No.' } }, { status: 503 })
    const start = Number(query.get('after')?.slice(1) ?? 0)
    const threads = numbers(start + 1, Math.min(PAGE, count - start))
    return { threads, ...(start + PAGE < count && { next: `t${start + PAGE}` }) }
  })
  return { state, list }
}

const rows = () => textsOf('.mr-thread-row').length
const older = () => server.asked.filter(({ route, query }) => route === LIST && query.has('after'))

export const rail: Scenes = {
  'loads older threads when its end comes near, page after page, each once': async () => {
    servePages()
    await openApp()
    await drawn()
    same([rows(), older().length], [60, 0])
    for (const [count, pages] of [
      [120, 1],
      [130, 2],
    ] as const) {
      find('.mr-thread-list').scrollTo({ top: 1e6 })
      await eventually(`${count} threads are there`, () => rows() === count)
      await drawn()
      same(older().length, pages)
    }
    same(has('.mr-older'), false)
  },

  'moves the focus to the first new thread when the button is pressed, each time': async () => {
    servePages()
    await openApp()
    await drawn()
    for (const first of [61, 121]) {
      find('.mr-older').focus({ preventScroll: true })
      click('.mr-older')
      await eventually('they are there', () => rows() >= first)
      await settled()
      same(document.activeElement?.querySelector('.mr-thread-title')?.textContent, `Thread ${first}`)
    }
  },

  'does not ask in a circle if the server refuses, and goes on when it is back': async () => {
    const { state, list } = servePages()
    await openApp()
    state.refuses = true
    find('.mr-thread-list').scrollTo({ top: 1e6 })
    await eventually('it has asked', () => older().length > 0)
    await drawn()
    await drawn()
    same([older().length, textOf('.mr-older')], [1, 'Older threads'])
    same(has('.mr-list-trouble'), true)
    state.refuses = false
    list.send('thread', listed(1))
    await eventually('they are there', () => rows() > 60)
    same(has('.mr-list-trouble'), false)
  },

  'searches, says that nothing matches, and shows everything again': async () => {
    serve()
    serveList(({ query }) => ({
      threads: query.get('search') === 'nothing' ? [] : [listed(query.has('search') ? 7 : 1)],
    }))
    await openApp()
    for (const [text, expected] of [
      ['seven', ['Thread 7']],
      ['nothing', []],
      ['', ['Thread 1']],
    ] as const) {
      fill('input[type=search]', text)
      await pass(150)
      same(textsOf('.mr-thread-title'), expected, `the threads of “${text}”`)
      same(textOf('.mr-list-note'), text === 'nothing' ? 'No thread matches “nothing”.' : '')
    }
  },

  'marks the thread of the page, follows links, and says why the list is not new': async () => {
    const list = serve()
    const { router } = await openApp()
    for (const id of ['t2', 't1']) {
      click(find(`a[href="/t/${id}"]`))
      await settled()
      same(router.snapshot(), { name: 'thread', threadId: id })
      same(find('[aria-current=page]').getAttribute('href'), `/t/${id}`)
    }
    server.hold(LIST)
    list.cut()
    await eventually('it connects again', () => server.open(LIST).length === 1)
    for (const asked of server.open(LIST)) asked.drop()
    await settled()
    same([textOf('.mr-list-trouble'), rows()], ['The server does not answer. Trying again…', 2])
    serve()
    await pass(3_000)
    await eventually('the list is new', () => !has('.mr-list-trouble'))
  },

  'is closed by following a link on a narrow screen, and the focus goes to the page': async () => {
    serve()
    const media = window.matchMedia('(max-width: 719px)') as unknown as { matches: boolean }
    media.matches = true
    await openApp()
    for (const id of ['t2', 't1']) {
      find('.menu-button').focus()
      click('.menu-button')
      await settled()
      same([has('.scrim'), focusName()], [true, 'Search threads'])
      click(find(`a[href="/t/${id}"]`))
      await settled()
      same([has('.scrim'), find('.rail').inert, document.activeElement === document.body], [false, true, false])
    }
    click('.menu-button')
    await settled()
    click(button('Close the threads'))
    await settled()
    same(has('.scrim'), false)
  },
}
