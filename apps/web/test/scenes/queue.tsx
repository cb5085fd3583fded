import type { RunInfo, RunMessage, RunStoreSnapshot } from '@millrace/core/client'
import { MessageQueue } from '../../src/queue/message-queue.tsx'
import type { PendingMessage } from '../../src/queue/pending-messages.ts'
import { type RunMessages, useRunMessages } from '../../src/queue/use-run-messages.ts'
import { button, click, focusName, has, textOf, textsOf } from '../stage/hands.ts'
import { server } from '../stage/server.ts'
import { mount, mountHook, pass, type Scenes, same, settled } from '../stage/stage.tsx'
import { createServices, inApp, recorded, run } from './world.tsx'

const LIST = 'GET /api/runs/:id/messages'
const message = (messageId: string, fields: Partial<RunMessage> = {}): RunMessage => ({
  messageId,
  text: `Text of ${messageId}`,
  delivered: 'now',
  state: 'waiting',
  ...fields,
})
type Notes = NonNullable<RunStoreSnapshot['messages']>
const live = run({ state: 'live', agent: 'demo' })

/** The messages of the newest run, whose entries name these. */
function openHook(shown: RunInfo = live, notes?: Notes) {
  const newestOf = (messages: Notes | undefined) =>
    messages === undefined ? undefined : ({ messages } as RunStoreSnapshot)
  const services = createServices()
  const hook = mountHook<RunMessages, { readonly shown: RunInfo; readonly notes: Notes | undefined }>(
    ({ shown: each, notes: named }) => useRunMessages(each, newestOf(named)),
    { shown, notes },
    (child) => inApp(child, services),
  )
  const states = () => hook.value.pending.map(({ messageId, state }) => `${messageId} ${state}`)
  return { hook, states, note: (named: Notes, each = live) => hook.update({ shown: each, notes: named }) }
}

const pendingOf = (fields: Partial<PendingMessage> = {}): PendingMessage => ({
  messageId: 'a',
  runId: 'run_1',
  text: 'Slower',
  delivered: 'now',
  state: 'waiting',
  ...fields,
})

export const queue: Scenes = {
  'asks the server for the texts of the messages that the entries name, and again with each change': async () => {
    const { states, note } = openHook()
    await settled()
    same(server.count(LIST), 0, 'requests before any message')
    note(new Map([['a', 'waiting']]))
    await settled()
    server.open(LIST)[0]?.answer({ messages: [message('a')] })
    await settled()
    same(states(), ['a waiting'])
    note(
      new Map([
        ['a', 'taken'],
        ['b', 'waiting'],
      ]),
    )
    same(states(), [], 'what was taken goes at once, before the server has answered')
    await settled()
    server.open(LIST)[0]?.answer({ messages: [message('a', { state: 'taken' }), message('b')] })
    await settled()
    same([states(), server.count(LIST)], [['b waiting'], 2])
  },

  'does not show as dropped what was taken back, whatever the entry says before the list': async () => {
    server.always(LIST, { messages: [message('a'), message('b')] })
    const { states, note } = openHook(live, new Map([['a', 'waiting']]))
    await settled()
    same(states(), ['a waiting', 'b waiting'])
    server.hold(LIST)
    note(
      new Map([
        ['a', 'dropped'],
        ['b', 'dropped'],
      ]),
    )
    await settled()
    same(states(), [])
    server
      .open(LIST)[0]
      ?.answer({ messages: [message('a', { state: 'taken-back' }), message('b', { state: 'dropped' })] })
    await settled()
    same(states(), ['b dropped'])
  },

  'asks about a run that ended otherwise before the page was opened, and about no other': async () => {
    server.always(LIST, { messages: [message('a', { state: 'dropped' }), message('b', { state: 'taken-back' })] })
    for (const [shown, count] of [
      [run({ agent: 'demo', outcome: 'cancelled' }), 1],
      [run({ agent: 'demo', outcome: 'success' }), 1],
      [recorded({ outcome: 'interrupted' }), 1],
    ] as const) {
      const { hook, states } = openHook(shown)
      await settled()
      same(server.count(LIST), count)
      same(states(), shown.outcome === 'cancelled' ? ['a dropped'] : [])
      hook.unmount()
    }
  },

  'tries again until the server answers, and not if the run is gone': async () => {
    const { states } = openHook(live, new Map([['a', 'waiting']]))
    await settled()
    server.open(LIST)[0]?.drop()
    await pass(3_000)
    server.open(LIST)[0]?.answer({ messages: [message('a')] })
    await settled()
    same([states(), server.count(LIST)], [['a waiting'], 2])
  },

  'shows what was sent at once, until the agent takes it; a refusal removes it and is said': async () => {
    const { hook, states, note } = openHook()
    const sent = hook.value.send('run_1', { text: 'Slower', files: [] }, 'now')
    await settled()
    const [post] = server.open('POST /api/runs/:id/messages')
    const { messageId = '' } = (post?.body ?? {}) as { readonly messageId?: string }
    same([states(), hook.value.pending[0]?.text], [[`${messageId} sending`], 'Slower'])
    post?.answer({ messageId, delivered: 'next' })
    await sent
    await settled()
    same(hook.value.pending[0]?.delivered, 'next', 'what the server has decided')
    note(new Map([[messageId, 'taken']]))
    same(states(), [])
    const refused = hook.value.send('run_1', { text: 'Faster', files: [] }, 'now').then(
      () => 'sent',
      (error: Error) => error.message,
    )
    await settled()
    server.open('POST /api/runs/:id/messages')[0]?.refuse(409, 'Nobody listens.')
    same(await refused, 'Nobody listens.')
    await settled()
    same(states(), [])
  },

  'says of each message what will happen to it, and offers only what is possible': () => {
    const none = async () => undefined
    const all = [
      pendingOf({ messageId: '1', state: 'sending' }),
      pendingOf({ messageId: '2' }),
      pendingOf({ messageId: '3', delivered: 'next', files: [{ id: 'f', mediaType: 'image/png' }] }),
      pendingOf({ messageId: '4', delivered: 'next', state: 'moved' }),
      pendingOf({ messageId: '5', state: 'dropped' }),
    ]
    mount(inApp(<MessageQueue pending={all} onTakeBack={none} onReuse={none} />))
    same(textsOf('.queue-row'), [
      'SteeringSlowersending…',
      'SteeringSlowersent to the agent, not read yetTake back',
      'QueuedSlower · 1 fileafter this runTake back',
      'QueuedSlowerthe next run begins with it',
      'Not readSlowerthe run ended firstWrite again',
    ])
  },

  'takes a message back once, keeps the focus in the page, and can be tried again after a failure': async () => {
    const calls: (() => void)[] = []
    const takeBack = () => new Promise<void>((resolve) => calls.push(resolve))
    mount(
      inApp(
        <main id="main">
          <MessageQueue pending={[pendingOf()]} onTakeBack={takeBack} onReuse={() => undefined} />
          <form className="mr-composer">
            <textarea aria-label="Message" />
          </form>
        </main>,
      ),
    )
    for (const round of [1, 2]) {
      click(button('Take back'))
      click(button('Take back'))
      same([calls.length, focusName(), textOf('.queue-note')], [round, 'Message', 'taking back…'])
      calls.at(-1)?.()
      await settled()
    }
  },

  'announces what has become of a message, and nothing that was there when the page was opened': async () => {
    const none = async () => undefined
    const draw = (pending: readonly PendingMessage[]) =>
      inApp(<MessageQueue pending={pending} onTakeBack={none} onReuse={none} />)
    const { update } = mount(draw([pendingOf({ state: 'dropped' })]))
    await settled()
    same(textOf('[role=status]'), '')
    update(draw([pendingOf({ state: 'dropped' }), pendingOf({ messageId: 'b', state: 'sending' })]))
    await settled()
    same(textOf('[role=status]'), '')
    update(draw([pendingOf({ state: 'dropped' }), pendingOf({ messageId: 'b', delivered: 'next' })]))
    await settled()
    same([textOf('[role=status]'), has('.queue')], ['Queued: after this run', true])
  },
}
