import type { ThreadStore } from '@millrace/core/client'
import { type ThreadActions, useThreadActions } from '../../src/thread/use-thread-actions.ts'
import { type Asked, server } from '../stage/server.ts'
import { mountHook, type Scenes, same, settled } from '../stage/stage.tsx'
import { createServices, inApp } from './world.tsx'

interface Call {
  readonly name: string
  readonly parts: readonly unknown[]
  accept(): void
  refuse(error: Error): void
}

const lost = new Error('The wind is gone.')
const LOST = 'An error occurred in this page. The wind is gone.'

/** A thread store whose calls the scene accepts or refuses. It reads its thread at once unless `reload` waits. */
function open(reload = async () => {}) {
  const calls: Call[] = []
  const call =
    (name: string) =>
    (...parts: readonly unknown[]) =>
      new Promise<void>((accept, refuse) => {
        calls.push({ name, parts, accept, refuse })
      })
  const store = { send: call('send'), stop: call('stop'), answer: call('answer'), reload }
  server.always('GET /api/threads', { threads: [] })
  const services = createServices()
  const hook = mountHook<ThreadActions, { readonly isBusy: boolean; readonly agent?: string }>(
    ({ isBusy, agent = 'demo' }) => useThreadActions(store as unknown as ThreadStore, 't1', agent, isBusy),
    { isBusy: true },
    (child) => inApp(child, services),
  )
  const end = async (how: 'accept' | 'refuse', call = calls.at(-1)) => {
    if (how === 'accept') call?.accept()
    else call?.refuse(lost)
    await settled()
  }
  return { hook, calls, end }
}

export const threadActions: Scenes = {
  'stops once, says so until the run has ended, and again in the next run': async () => {
    const { hook, calls, end } = open()
    for (const round of [1, 2]) {
      same(hook.value.isStopping, false, 'whether it stops before it is asked to')
      hook.value.stop()
      await settled()
      same(hook.value.isStopping, true)
      await end('accept')
      same(hook.value.isStopping, true, 'whether it stops until the run has ended')
      hook.update({ isBusy: false })
      await settled()
      same([hook.value.isStopping, calls.length], [false, round])
      hook.update({ isBusy: true })
    }
    same(hook.value.trouble, undefined)
  },

  'can be stopped again after a stop has failed, twice': async () => {
    const { hook, end } = open()
    for (const how of ['refuse', 'refuse', 'accept'] as const) {
      hook.value.stop()
      await settled()
      same(hook.value.isStopping, true)
      await end(how)
      same([hook.value.isStopping, hook.value.trouble], how === 'refuse' ? [false, LOST] : [true, LOST], `after ${how}`)
    }
    hook.value.dismiss()
    await settled()
    same(hook.value.trouble, undefined)
  },

  'sends to the chosen agent, counts each message at once, and reads the list again': async () => {
    const { hook, calls, end } = open()
    for (const [index, agent] of ['demo', 'wheel'].entries()) {
      hook.update({ isBusy: false, agent })
      const sent = hook.value.send({ text: 'Turn', files: [] })
      await settled()
      same(hook.value.sendCount, index + 1)
      same(calls.at(-1)?.parts, ['Turn', { agent }])
      await end('accept')
      await sent
      same(server.count('GET /api/threads'), (index + 1) * 2, 'the number of lists')
    }
  },

  'leaves a failed message to the composer, and says why a run was not continued': async () => {
    const { hook, calls, end } = open()
    const outcome = hook.value.send({ text: 'Turn', files: [] }).then(
      () => 'sent',
      () => 'refused',
    )
    await end('refuse')
    same([await outcome, hook.value.trouble], ['refused', undefined])
    hook.value.continueRun('wheel')
    await end('refuse')
    same([calls.at(-1)?.parts[0], hook.value.trouble], ['Continue from here.', LOST])
  },

  'answers, and says why an answer failed while its card learns it too': async () => {
    const { hook, calls, end } = open()
    for (const how of ['accept', 'refuse', 'accept'] as const) {
      const outcome = hook.value.answer('approval_1', { state: 'approved' }).then(
        () => 'accept',
        () => 'refuse',
      )
      await end(how)
      same(await outcome, how)
    }
    same([hook.value.trouble, calls.length], [LOST, 3])
    same(calls[0]?.parts, ['approval_1', { state: 'approved' }])
  },

  'keeps the identity of what it returns': async () => {
    const { hook } = open()
    const before = hook.value
    hook.update({ isBusy: true })
    hook.value.stop()
    await settled()
    const names = ['send', 'stop', 'continueRun', 'answer', 'rename', 'dismiss'] as const
    same(
      names.filter((name) => hook.value[name] !== before[name]),
      [],
    )
  },
}

const RENAME = 'PATCH /api/threads/:id'

export const renaming: Scenes = {
  'shows the new title until the server has it, each time, and then whatever the server says': async () => {
    const { hook } = open()
    for (const title of ['One', 'Two']) {
      hook.value.rename(title)
      await settled()
      same([hook.value.renamed, server.open(RENAME)[0]?.body], [title, { title }])
      server.open(RENAME)[0]?.answer({ id: 't1', title })
      await settled()
      same(hook.value.renamed, undefined)
    }
    same(server.count('GET /api/threads'), 4, 'the number of lists')
  },

  'keeps the new title until the store has read it, with which the list has nothing to do': async () => {
    const reads: (() => void)[] = []
    const { hook } = open(() => new Promise((resolve) => reads.push(resolve)))
    for (const list of ['answered', 'refused']) {
      hook.value.rename('One')
      await settled()
      if (list === 'refused') server.always('GET /api/threads', (asked: Asked) => asked.refuse(500))
      server.open(RENAME)[0]?.answer({})
      await settled()
      same([hook.value.renamed, reads.length], ['One', 1], `before the store has read it, with the list ${list}`)
      reads.pop()?.()
      await settled()
      same([hook.value.renamed, hook.value.trouble], [undefined, undefined], `with the list ${list}`)
    }
  },

  'takes a title back that was refused, and says why; another attempt succeeds': async () => {
    const { hook } = open()
    for (const end of ['refuse', 'drop', 'answer'] as const) {
      hook.value.rename('One')
      await settled()
      const [asked] = server.open(RENAME)
      if (end === 'refuse') asked?.refuse(409, 'It is taken.')
      else if (end === 'drop') asked?.drop()
      else asked?.answer({})
      await settled()
      same([hook.value.renamed, hook.value.trouble !== undefined], [undefined, true], `after ${end}`)
    }
  },

  'keeps the newest of two titles, in whichever order they are answered': async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      for (const first of ['answer', 'refuse'] as const) {
        const { hook } = open()
        hook.value.rename('One')
        hook.value.rename('Two')
        await settled()
        const asked = server.open(RENAME)
        const [one, other] = order.map((index) => asked[index])
        if (first === 'answer') one?.answer({})
        else one?.refuse(409)
        await settled()
        same(hook.value.renamed, order[0] === 0 ? 'Two' : undefined, `the title after ${first} of ${order[0]}`)
        other?.answer({})
        await settled()
        same(hook.value.renamed, undefined)
        hook.unmount()
      }
    }
  },
}
