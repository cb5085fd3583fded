import { ApiError } from '@millrace/core/client'
import { PositionProvider } from '../../src/position/position-context.ts'
import { createPositionStore } from '../../src/position/position-store.ts'
import { FileButton } from '../../src/recordings/file-button.tsx'
import { ImportNotice } from '../../src/recordings/import-notice.tsx'
import type { ImportItem } from '../../src/recordings/use-import.ts'
import { UnreadLine } from '../../src/records/unread-line.tsx'
import { ThreadHeader } from '../../src/thread/thread-header.tsx'
import { UsageButton } from '../../src/thread/usage-button.tsx'
import { totalsOf } from '../../src/threads/totals.ts'
import { troubleText } from '../../src/trouble.ts'
import { TroublePage } from '../../src/trouble-page.tsx'
import { NOON } from '../stage/clock.ts'
import { button, click, fill, find, has, textOf, textsOf } from '../stage/hands.ts'
import { mount, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { inApp, run } from './world.tsx'

export const recordings: Scenes = {
  'can be chosen from a button, several at once, and the same ones again': async () => {
    const got: string[][] = []
    const importFiles = (files: readonly File[]) => got.push(files.map(({ name }) => name))
    mount(
      inApp(<FileButton className="choose">Choose</FileButton>, { importFiles: (files) => void importFiles(files) }),
    )
    const input = find<HTMLInputElement>('input[type=file]')
    const opened: string[] = []
    input.addEventListener('click', (event) => {
      event.preventDefault()
      opened.push('picker')
    })
    for (const round of [1, 2]) {
      click('.choose')
      const data = new DataTransfer()
      for (const name of ['a.jsonl', 'b.jsonl']) data.items.add(new File(['x'], name))
      input.files = data.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
      same([opened.length, got.length, input.value], [round, round, ''], `round ${round}`)
    }
    same(got[1], ['a.jsonl', 'b.jsonl'])
  },

  'show how far each import is, and can be dismissed unless it is being read': () => {
    const calls: unknown[] = []
    const draw = (items: readonly ImportItem[], shown?: string) => {
      const importAs = (...choice: readonly unknown[]) => calls.push(choice)
      const importing = { items, importFiles: () => undefined, importAs, dismiss: (id: number) => calls.push(id) }
      return inApp(<ImportNotice importing={importing} shown={shown} />)
    }
    const file = { id: 7, name: 'mill.jsonl' }
    const { update } = mount(draw([]))
    same(has('.notice'), false)
    update(draw([{ ...file, state: 'sending', threadId: 't1' }]))
    same([textOf('.notice'), has('.notice button')], ['Reading mill.jsonl… Open', false])
    update(draw([{ ...file, state: 'sending', threadId: 't1' }], 't1'))
    same(has('.notice'), false, 'whether a thread that shows it is announced')
    update(draw([{ ...file, state: 'failed', reason: 'No room.' }]))
    same(textOf('.notice p'), 'mill.jsonl was not imported. No room.')
    click(button('Dismiss mill.jsonl'))
    const unsure = { ...file, state: 'unsure', reason: 'It is short.', formats: ['agent-lines', 'ag-ui'] } as const
    update(draw([{ ...unsure, guess: undefined }]))
    same(textsOf('.notice option'), ['Choose a format', 'Agent lines', 'AG-UI'])
    find<HTMLFormElement>('.notice form').requestSubmit()
    same(calls, [7], 'nothing is imported before a format is chosen')
    update(
      draw([
        { ...unsure, id: 8, guess: 'agent-lines' },
        { ...file, state: 'done', threadId: 't2' },
      ]),
    )
    same(textsOf('.notice').length, 2)
    find<HTMLFormElement>('.notice form').requestSubmit()
    fill('.notice select', 'ag-ui')
    find<HTMLFormElement>('.notice form').requestSubmit()
    same(calls, [7, [8, 'agent-lines'], [8, 'ag-ui']])
  },
}

const raw = (count: number) => ({
  count,
  seqs: [3, 4, 5, 6, 7].slice(0, count),
  records: [0, 1, 2, 3, 4].slice(0, count),
})

export const unread: Scenes = {
  'is one line that counts and names the entries, and opens the first in the lens': () => {
    const store = createPositionStore()
    const line = (count: number) =>
      inApp(
        <PositionProvider value={store}>
          <UnreadLine run={run({ raw: raw(count) })} />
        </PositionProvider>,
      )
    const { update } = mount(line(0))
    same(has('.unread'), false)
    for (const [count, text, code] of [
      [1, '1 record was not understood and is kept', '#3'],
      [4, '4 records were not understood and are kept', '#3 #4 #5 #6'],
      [5, '5 records were not understood and are kept', '#3 #4 #5 #6 …'],
    ] as const) {
      update(line(count))
      same([textOf('.unread > span'), textOf('.unread code'), store.snapshot().pane], [text, code, undefined])
    }
    click('.unread')
    const { pane, selection } = store.snapshot()
    same([pane, selection?.seqs, selection?.entry], ['lens', [3, 3], 3])
  },
}

const usage = { inputTokens: 1_200, outputTokens: 30, costUsd: 0.5 }
const ended = run({ startedAt: NOON - 60_000, endedAt: NOON - 50_000, usage })
const live = run({ id: 'run_2', state: 'live', startedAt: NOON - 5_000, usage })

export const header: Scenes = {
  'adds up what all runs have used, and counts on while one is live': async () => {
    const draw = (runs: readonly (typeof ended)[], isCut = false) =>
      inApp(
        <ThreadHeader
          title="Mill"
          source="AG-UI"
          state="live"
          isCut={isCut}
          usage={<UsageButton totals={totalsOf(runs)} runs={runs} events={[]} />}
          tools={undefined}
          onRename={() => undefined}
        />,
      )
    const { update } = mount(draw([ended]))
    same(textsOf('.meter > span'), ['1.2k in', '30 out', '$0.50', '10s'])
    update(draw([ended, live]))
    same(textsOf('.meter > span'), ['2.4k in', '60 out', '$1.00', '15s'])
    for (const time of ['16s', '17s']) {
      await pass(1_000)
      same(textsOf('.meter > span').at(-1), time)
    }
    same([textOf('.format'), textOf('.badge-live')], ['AG-UI', 'Live'])
    update(draw([ended, live], true))
    same([has('.badge-live'), textsOf('.badge').at(-1)], [false, 'Not connected'])
  },
}

export const trouble: Scenes = {
  'has a title and an advice for each failure, and a way to the start page': async () => {
    const error = (status: number) => new ApiError(status, 'x', 'The server’s own words.')
    const cases: readonly (readonly [unknown, string, string])[] = [
      [error(0), 'The server does not answer', 'Nothing is lost'],
      [error(401), 'This browser has no token', 'millrace serve'],
      [error(403), 'The server refused this page', 'own address'],
      [error(404), 'Thread not found', '“mill 1”'],
      [error(500), 'The server refused the request (500)', 'The server’s own words.'],
      [new Error('Planted.'), 'An error occurred in this page', 'Planted.'],
      ['Words.', 'An error occurred in this page', 'Words.'],
    ]
    for (const [each, title, advice] of cases) {
      const mounted = mount(inApp(<TroublePage error={each} threadId="mill 1" />))
      same([textOf('.trouble h1'), textOf('.trouble p').includes(advice)], [title, true], title)
      same(button('Start page').getAttribute('href'), '/')
      mounted.unmount()
    }
    mount(inApp(<TroublePage error={error(404)} />))
    await settled()
    same(textOf('.trouble h1'), 'The server refused the request (404)')
    const lines = [0, 401, 404, 500].map((status) => troubleText(error(status)).split('.')[0])
    const own = 'The server’s own words'
    same(lines, ['The server does not answer', 'This browser has no token', own, own])
  },
}
