import { useFollow } from '@millrace/react'
import { Messages } from '../../src/thread/messages.tsx'
import { WiresButton } from '../../src/wires/wires-button.tsx'
import { button, click, fill, find, has, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { drawn, eventually, mount, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { chatEvent, inApp, recorded, run, textSegment } from './world.tsx'

let following: ReturnType<typeof useFollow>

function Scroller({ height, view = 200 }: { readonly height: number; readonly view?: number }) {
  following = useFollow()
  return (
    <div ref={following.scroller} className="box" style={{ height: view, overflow: 'auto' }}>
      <div ref={following.content} style={{ height }} />
    </div>
  )
}

const box = () => find('.box')
const distance = () => box().scrollHeight - box().clientHeight - box().scrollTop

async function scrollTo(top: number): Promise<void> {
  box().scrollTop = top
  await drawn()
}

export const follow: Scenes = {
  'keeps the end in view while it grows, leaves it when the reader scrolls up, and comes back, each time': async () => {
    let height = 1_000
    const { update } = mount(<Scroller height={height} />)
    const grow = async () => {
      height += 500
      update(<Scroller height={height} />)
      await drawn()
    }
    for (const round of [1, 2]) {
      await grow()
      same([distance(), following.isAway], [0, false], `at the end, round ${round}`)
      await scrollTo(box().scrollTop - 300)
      same(following.isAway, true)
      const { scrollTop } = box()
      await grow()
      same([box().scrollTop, following.isAway], [scrollTop, true], 'a reader who is away is not moved')
      if (round === 1) await scrollTo(1e6)
      else following.toEnd()
      await drawn()
      same([distance(), following.isAway], [0, false], 'back at the end')
    }
  },

  'keeps the end in view when the visible area shrinks and grows, as with the composer below it': async () => {
    const { update } = mount(<Scroller height={1_000} />)
    await drawn()
    for (const view of [100, 150, 60, 200]) {
      update(<Scroller height={1_000} view={view} />)
      await drawn()
      same([distance(), following.isAway], [0, false], `${view} pixels high`)
    }
  },

  'follows within 48 pixels of the end, and not beyond': async () => {
    mount(<Scroller height={2_000} />)
    await drawn()
    for (const [away, isAway] of [
      [48, false],
      [49, true],
      [200, true],
      [48, false],
    ] as const) {
      await scrollTo(2_000 - 200 - away)
      same(following.isAway, isAway, `${away} pixels from the end`)
    }
  },

  'can be released, and then stays where it is': async () => {
    const { update } = mount(<Scroller height={1_000} />)
    await drawn()
    following.release()
    await settled()
    update(<Scroller height={3_000} />)
    await drawn()
    same([box().scrollTop, following.isAway], [800, true])
  },
}

const longText = (seq: number) => textSegment(seq, `Step ${seq}. ${'words '.repeat(150)}`)
const chatEvents = [
  chatEvent(
    Array.from({ length: 30 }, (_, index) => longText(index + 1)),
    { seqs: [1, 30] },
  ),
]

function messages(fields: object = {}) {
  const props = {
    basePath: '',
    events: chatEvents,
    runs: [run({ seq: 30 })],
    isLoaded: true,
    isStill: false,
    sendCount: 0,
    onAnswer: async () => undefined,
    ...fields,
  }
  return (
    <div style={{ height: 400, display: 'grid' }}>
      <Messages {...props} />
    </div>
  )
}

const linkTo = (seq: number | undefined) => (seq === undefined ? undefined : { runId: undefined, seq })
const linked = () => textsOf('.mr-linked').map((text) => Number(text.match(/Step (\d+)/)?.[1]))
const isInView = (seq: number) => {
  const shown = find(`[data-seqs="${seq}-${seq}"]`).getBoundingClientRect()
  const frame = find('.mr-thread-scroll').getBoundingClientRect()
  return shown.top < frame.bottom && shown.bottom > frame.top
}

export const deepLink: Scenes = {
  'brings the entry of each address into view once, also the one that was shown before': async () => {
    const { update } = mount(messages())
    await drawn()
    for (const seq of [5, 12, undefined, 12, 5]) {
      update(messages({ link: linkTo(seq) }))
      if (seq === undefined) continue
      await eventually(`entry ${seq} is shown`, () => isInView(seq) && linked().includes(seq))
      find('.mr-thread-scroll').scrollTop = 0
      update(messages({ link: linkTo(seq), events: [...chatEvents] }))
      await drawn()
      same(find('.mr-thread-scroll').scrollTop, 0, 'the position when the thread grows later')
      await pass(2_400)
      same(linked(), [], 'what is marked after a while')
    }
  },

  'shows the newest of two links that follow each other at once': async () => {
    const { update } = mount(messages())
    await drawn()
    update(messages({ link: linkTo(3) }))
    update(messages({ link: linkTo(20) }))
    await eventually('it is shown', () => isInView(20))
    await drawn()
    same(linked(), [20])
  },

  'waits until the log has reached the entry': async () => {
    const growing = [chatEvent([longText(1)], { seqs: [1, 1], state: 'live' })]
    const { update } = mount(messages({ link: linkTo(12), events: growing }))
    await drawn()
    same(linked(), [])
    update(messages({ link: linkTo(12) }))
    await eventually('it is shown', () => linked().includes(12))
  },
}

const more = (count: number) => [
  chatEvent(
    Array.from({ length: 30 + count }, (_, index) => longText(index + 1)),
    { seqs: [1, 30 + count] },
  ),
]

export const latest: Scenes = {
  'counts what came while the reader was away, each time from there on': async () => {
    const { update } = mount(messages())
    await drawn()
    for (const [before, now] of [
      [0, 2],
      [2, 3],
    ] as const) {
      find('.mr-thread-scroll').scrollTop = 0
      await eventually('the reader is away', () => has('.mr-pill'))
      same(textOf('.mr-pill'), 'Latest')
      update(messages({ events: more(now) }))
      same(textOf('.mr-pill-count'), `· ${now - before} new`)
      click('.mr-pill')
      await drawn()
      same(has('.mr-pill'), false)
    }
  },

  'goes to the end with each message that is sent': async () => {
    const { update } = mount(messages())
    await drawn()
    for (const sendCount of [1, 2]) {
      find('.mr-thread-scroll').scrollTop = 0
      await eventually('the reader is away', () => has('.mr-pill'))
      update(messages({ sendCount }))
      await drawn()
      same(has('.mr-pill'), false, `message ${sendCount}`)
    }
  },
}

const STREAM = 'GET /api/runs/:id/stream'

export const wires: Scenes = {
  'reads the run that is chosen from the log, says so, and counts it': async () => {
    const runs = [recorded({ id: 'one', seq: 2 }), run({ id: 'two', seq: 2, agent: 'wheel' })]
    mount(inApp(<WiresButton runs={runs} newest={undefined} />))
    click(button('Wires'))
    await eventually('the panel is there', () => has('.wires-count'))
    same(textsOf('dialog option'), ['1 of 2 · Agent lines', '2 of 2 · wheel'])
    for (const id of ['two', 'one']) {
      fill('dialog select', id)
      await eventually('the log is read', () => server.open(`GET /api/runs/${id}/stream`).length === 1)
      same(textOf('.wires-count').startsWith('Reading the log…'), true)
      const stream = server.open(`GET /api/runs/${id}/stream`)[0]?.stream()
      stream?.send({ seq: 1, at: 1, rawThrough: 1, event: { type: 'run-start' } })
      stream?.send({ seq: 2, at: 2, rawThrough: 2, event: { type: 'run-end', outcome: 'success' } })
      await eventually('it is counted', () => textOf('.wires-count') === 'Counted over all 2 entries of the run.')
    }
    same(server.count(STREAM), 2)
  },

  'stops reading a run when another is chosen': async () => {
    mount(inApp(<WiresButton runs={[run({ id: 'one' }), run({ id: 'two' })]} newest={undefined} />))
    click(button('Wires'))
    await eventually('the last run is read', () => server.open(STREAM).length === 1)
    const [before] = server.open(STREAM)
    fill('dialog select', 'one')
    await eventually('the first run is read', () => server.count(STREAM) === 2)
    same(before?.signal?.aborted, true)
  },

  'says why a run could not be read, and opens and closes each wire by itself': async () => {
    mount(inApp(<WiresButton runs={[run()]} newest={undefined} />))
    click(button('Wires'))
    await eventually('the log is read', () => server.open(STREAM).length === 1)
    server.open(STREAM)[0]?.refuse(404, 'It was deleted.')
    await eventually('it is said', () => textOf('.wires-count').includes('It was deleted.'))
    const heads = [...document.querySelectorAll('.wires-list button[aria-expanded]')]
    const states = () => heads.map((head) => head.getAttribute('aria-expanded') === 'true')
    const before = states()
    same(before.filter(Boolean).length, 1, 'the number of open wires')
    for (const index of [0, 1, 0, 1]) if (heads[index] !== undefined) click(heads[index])
    same(states(), before)
    if (heads[0] !== undefined) click(heads[0])
    same(states().filter((isOpen, index) => isOpen !== before[index]).length, 1)
  },
}
