import { has, press, textOf, textsOf } from '../stage/hands.ts'
import { eventually, type Scenes, same, settled } from '../stage/stage.tsx'
import { chatEvent, detail, listed, openApp, serve, textSegment } from './world.tsx'

const times = { startedAt: 1_000, endedAt: 4_000 }
const thought = (id: string, text: string, seq: number) =>
  ({ type: 'reasoning', id, text, state: 'done', ...times, seqs: [seq, seq] }) as const

/** A thought of the agent, one of its subagent, and an answer. */
const withThoughts = chatEvent([
  thought('r1', 'Tide first.', 2),
  {
    type: 'subagent',
    agentId: 'a1',
    name: 'scout',
    state: 'done',
    segments: [thought('r2', 'Then the wind.', 4)],
    ...times,
    seqs: [3, 5],
  },
  textSegment(6, 'Leave at 06:12.'),
])

async function openThread() {
  serve([listed(1)], detail({ chatEvents: [withThoughts] }))
  await openApp('/t/t1')
  await eventually('the thread is drawn', () => has('.mr-subagent'))
}

export const thoughts: Scenes = {
  'S1-14: a key hides all thoughts, of subagents too, and shows them again': async () => {
    await openThread()
    same(textsOf('.mr-thinking').length > 0, true)
    press('h')
    await settled()
    same([textsOf('.mr-thinking'), textOf('.mr-thread').includes('06:12')], [[], true])
    press('h')
    await settled()
    same(textsOf('.mr-thinking').length > 0, true)
  },

  'S1-14: thoughts stay hidden when the page is loaded again': async () => {
    localStorage.setItem('millrace-thoughts', 'hidden')
    await openThread()
    same(textsOf('.mr-thinking'), [])
    localStorage.removeItem('millrace-thoughts')
  },
}
