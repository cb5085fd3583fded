import { fill, find, has, press, textOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { eventually, type Scenes, same, settled } from '../stage/stage.tsx'
import { chatEvent, detail, openApp, recorded, run, serve, textSegment } from './world.tsx'

/** What the page says of a run has to be true, and what it offers has to work. */
export const truth: Scenes = {
  'a recording is read-only: no composer, nothing to continue or to answer, and a way to a new thread': async () => {
    const ends = {
      success: 'is not connected',
      'awaiting-input': 'can no longer be answered',
      error: 'It failed',
    } as const
    for (const [outcome, words] of Object.entries(ends)) {
      serve(undefined, detail({ runs: [recorded({ outcome: outcome as keyof typeof ends, format: 'codex-exec' })] }))
      const page = await openApp('/t/t1')
      await eventually(`the note of ${outcome}`, () => has('.read-only'))
      const isOpenEnded = outcome === 'awaiting-input'
      same([has('.mr-composer'), has('.continue-note'), has('.badge-needs-you')], [false, false, false])
      same(has('.badge-left-open'), isOpenEnded, 'whether it says how it ended')
      same(
        [textOf('.read-only b'), textOf('.read-only').includes(words)],
        ['A recorded stream of Codex, read-only.', true],
      )
      page.unmount()
    }
  },

  'sends nothing to another agent unless a person chooses it': async () => {
    serve(undefined, detail({ runs: [run({ agent: 'removed' })] }))
    await openApp('/t/t1')
    await eventually('the composer is there', () => has('.mr-composer'))
    fill('textarea', 'Go on')
    same(find<HTMLTextAreaElement>('textarea').placeholder.includes('cannot run now'), true, 'the words')
    press('Enter', {}, find('textarea'))
    await settled()
    same(server.count('POST /api/threads/:id/runs'), 0, 'the number of runs')
    fill('.mr-picker select', 'wheel')
    press('Enter', {}, find('textarea'))
    await settled()
    const start = (server.open('POST /api/threads/:id/runs')[0]?.body ?? {}) as { readonly agent?: string }
    same(start.agent, 'wheel')
  },

  'says that the user has stopped a run, and of a recording only that it was stopped': async () => {
    const cut = chatEvent([textSegment(2, 'The wheel')], { state: 'interrupted' })
    for (const [made, words] of [
      [run({ outcome: 'cancelled' }), 'Stopped by you'],
      [run({ outcome: 'interrupted' }), 'Interrupted'],
      [recorded({ outcome: 'cancelled' }), 'Interrupted'],
    ] as const) {
      serve(undefined, detail({ runs: [made], chatEvents: [cut] }))
      server.always('GET /api/runs/:id/messages', { messages: [] })
      const page = await openApp('/t/t1')
      await eventually('the line is there', () => has('.mr-interrupted'))
      same(textOf('.mr-interrupted b'), words)
      page.unmount()
    }
  },
}
