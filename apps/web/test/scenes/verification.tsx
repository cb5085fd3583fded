import { createApi, type RunInfo, type RunStoreSnapshot } from '@millrace/core/client'
import { useVerification, type Verification, type Verifying } from '../../src/status/use-verification.ts'
import { VerifyButton } from '../../src/status/verify-button.tsx'
import { button, click, find, has, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { eventually, mount, mountHook, type Scenes, same, settled } from '../stage/stage.tsx'
import { run } from './world.tsx'

const VERIFY = 'GET /api/runs/:id/verify'
const streamed = { connection: 'ended', run: { runId: 'run_1', chatEvents: [] } } as unknown as RunStoreSnapshot
const HASH_OF_STREAMED = async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(streamed.run))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Input {
  readonly run: RunInfo | undefined
  readonly streamed?: RunStoreSnapshot
}

function openHook(input: Input = { run: run() }) {
  const api = createApi({ baseUrl: '' })
  const hook = mountHook((given: Input) => useVerification(api, given.run, given.streamed), input)
  return { hook, state: () => hook.value?.verification.state, last: () => server.open(VERIFY).at(-1) }
}

export const verification: Scenes = {
  'exists once the run has ended, and asks only on request': () => {
    const { hook } = openHook({ run: undefined })
    same(hook.value, undefined)
    for (const state of ['live', 'waiting'] as const) {
      hook.update({ run: run({ state }) })
      same(hook.value, undefined)
    }
    hook.update({ run: run() })
    same([hook.value?.verification.state, server.count(VERIFY)], ['unchecked', 0])
  },

  'has an end, whatever the server says, and can be repeated': async () => {
    const { hook, state, last } = openHook()
    const ends: readonly (readonly [string, () => void])[] = [
      ['unknown', () => last()?.refuse(503, 'Busy.')],
      ['unknown', () => last()?.drop()],
      ['differs', () => last()?.answer({ ok: false, problems: ['Entry 3 differs.', 'Entry 4 too.'] })],
      ['differs', () => last()?.answer({ ok: false })],
      ['unknown', () => last()?.answer({ ok: false, isComplete: false, problems: ['Too large.'] })],
      ['same', () => last()?.answer({ ok: true, foldHash: 'abc', isComplete: true })],
      ['same', () => last()?.answer({ ok: true, foldHash: 'abc', reread: 'read-by-other-version' })],
    ]
    const reasons: unknown[] = []
    for (const [expected, end] of ends) {
      hook.value?.verify()
      await settled()
      same(state(), 'checking')
      end()
      await settled()
      same(state(), expected)
      const found = hook.value?.verification as Verification
      reasons.push('reason' in found ? found.reason : 'compared' in found && found.compared)
    }
    same(reasons.slice(2), [
      'Entry 3 differs.',
      'The server named no difference.',
      'Too large.',
      { page: false, records: true },
      { page: false, records: false },
    ])
  },

  'shows nothing of another run, and nothing that was found before the run grew': async () => {
    const { hook, state, last } = openHook()
    const steps: readonly RunInfo[] = [run({ id: 'run_2' }), run({ id: 'run_2', seq: 12 }), run()]
    for (const next of steps) {
      hook.value?.verify()
      await settled()
      const late = last()
      hook.update({ run: next })
      same(state(), 'unchecked', 'the state of the next run')
      late?.answer({ ok: true, foldHash: 'abc' })
      await settled()
      same(state(), 'unchecked', 'the state after a late answer')
    }
    hook.value?.verify()
    await settled()
    last()?.answer({ ok: true, foldHash: 'abc' })
    await settled()
    hook.update({ run: undefined })
    hook.update({ run: run({ id: 'run_3' }) })
    same(state(), 'unchecked')
  },

  'keeps what was found of this run when the answer about another comes later': async () => {
    const { hook, state, last } = openHook()
    hook.value?.verify()
    await settled()
    const late = last()
    hook.update({ run: run({ id: 'run_2' }) })
    hook.value?.verify()
    await settled()
    last()?.answer({ ok: true, foldHash: 'abc' })
    await settled()
    late?.refuse(503)
    await settled()
    same(state(), 'same')
  },

  'compares what this page has streamed, once it has all of it': async () => {
    const { hook, state, last } = openHook({ run: run(), streamed })
    const cases: readonly (readonly [string, string, RunStoreSnapshot])[] = [
      [await HASH_OF_STREAMED(), 'same', streamed],
      ['0000', 'differs', streamed],
      ['0000', 'same', { ...streamed, connection: 'live' }],
    ]
    for (const [foldHash, expected, page] of cases) {
      hook.update({ run: run(), streamed: page })
      hook.value?.verify()
      await settled()
      last()?.answer({ ok: true, foldHash })
      await eventually(`it is found to be ${expected}`, () => state() === expected)
    }
  },
}

function openButton(found: Verification) {
  const asked: number[] = []
  const draw = (next: Verification) => (
    <VerifyButton {...({ verification: next, verify: () => asked.push(1) } as Verifying)} />
  )
  const mounted = mount(draw(found))
  return { asked, update: (next: Verification) => mounted.update(draw(next)) }
}

const both = { page: true, records: true }
const proven: Verification = { state: 'same', hash: '0123456789', compared: both }

export const verifyButton: Scenes = {
  'checks what is unchecked or unknown, does nothing while it checks, and then shows what was compared': () => {
    const { asked, update } = openButton({ state: 'unchecked' })
    same(textOf('.chip'), 'Verify')
    click('.chip')
    update({ state: 'checking' })
    click('.chip')
    same([asked.length, textOf('.chip'), has('dialog')], [1, 'Checking…', false])
    update({ state: 'unknown', reason: 'Busy.' })
    click('.chip')
    same([asked.length, find('.chip').title], [2, 'Not checked. Busy.'])
    update(proven)
    same(textOf('.chip'), 'Live = stored0123·45')
    click('.chip')
    same([asked.length, textOf('dialog dd'), textsOf('.proof-without').length], [2, '0123456789', 0])
  },

  'names only what was compared': () => {
    const { update } = openButton({ ...proven, compared: { page: false, records: false } })
    same(textOf('.chip'), 'Stored = delivered0123·45')
    click('.chip')
    same(
      textsOf('.proof-without').map((text) => text.split('Not compared')[0]),
      ['The raw records, parsed again', 'What this page folded while it streamed the run'],
    )
    update({ state: 'differs', reason: 'Entry 3 differs.', compared: both })
    same([textOf('.chip'), has('.mr-tone-bad'), has('dd')], ['Differs: Entry 3 differs.', true, false])
  },

  'opens and closes as often as one likes': async () => {
    openButton(proven)
    for (const round of [1, 2, 3]) {
      find('.chip').focus()
      click('.chip')
      same(has('dialog[open]'), true, `round ${round}`)
      button('Close').click()
      await eventually('it is closed', () => !has('dialog'))
      same(document.activeElement === find('.chip'), true, `the focus in round ${round}`)
    }
  },
}
