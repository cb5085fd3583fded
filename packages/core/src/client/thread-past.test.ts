import { describe, expect, it } from 'vitest'
import { answerEvents, createRunServer, ending, settle } from '../../test/client/platform.ts'
import { threadScene as scene } from '../../test/client/scenes.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from '../fold/fold.ts'

/** A run that ends with an open call of the client. */
const asking: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'tool-start', callId: 'pick', name: 'pick', runBy: 'client' },
  { type: 'tool-input', callId: 'pick', input: {} },
  { type: 'message-end', messageId: 'm' },
  { type: 'run-end', outcome: 'awaiting-input' },
]

/** The run that carries the output, and says more. */
const answering: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'tools', role: 'tool' },
  { type: 'tool-start', callId: 'pick', name: 'pick', runBy: 'client', meta: { millrace: { orphan: true } } },
  { type: 'tool-output', callId: 'pick', status: 'ok', output: 'red' },
  { type: 'message-end', messageId: 'tools' },
  ...answerEvents('Thanks.').slice(1),
]

async function threadOf(runs: readonly (readonly StreamEvent[])[]) {
  const thread = scene()
  const servers = runs.map((events, index) => thread.server.addRun(`r${index + 1}`, createRunServer(...events)))
  thread.store.start()
  await settle()
  thread.view()
  /** A run with its first entries. */
  const moment = (run: number, seq: number) => fold(servers[run - 1]?.entries.slice(0, seq) ?? [], { runId: `r${run}` })
  return { ...thread, moment }
}

describe('a thread at a moment', () => {
  it('shows the runs before, the run as it was, and nothing later', async () => {
    const { store, moment, view } = await threadOf([
      [...answerEvents('One.'), ...ending],
      answerEvents('Two ', 'more'),
      answerEvents('Three'),
    ])
    const past = store.chatEventsAt(moment(2, 4))
    expect(past.map(({ id }) => id)).toEqual(['r1/m', 'r2/m'])
    expect(past[1]?.segments).toMatchObject([{ text: 'Two ' }])
    expect(past[0]).toBe(view().chatEvents[0])
    expect(store.chatEventsAt(moment(1, 0))).toEqual([])
  })

  it('has no answer at a call before the run with the answer has brought it', async () => {
    const { store, moment, view } = await threadOf([asking, answering])
    const stateAt = (seq: number) => store.chatEventsAt(moment(2, seq))[0]?.segments
    expect(stateAt(2)).toMatchObject([{ state: 'ready' }])
    expect(stateAt(4)).toMatchObject([{ state: 'done', output: 'red' }])
    expect(store.chatEventsAt(moment(1, 6))[0]?.segments).toMatchObject([{ state: 'ready' }])
    const before = view().chatEvents[0]
    expect(before?.segments).toMatchObject([{ state: 'done' }])
    expect(view().chatEvents[0]).toBe(before)
  })
})

describe('a message at a moment', () => {
  it('continues the named run, and the thread shows the new branch at once', async () => {
    const { server, store, ids } = await threadOf([
      [...answerEvents('One.'), ...ending],
      [...answerEvents('Two.'), ...ending],
    ])
    const sent = store.send('Another way', { after: 'r1', agent: 'mill' })
    expect(ids().filter((id) => id.startsWith('r'))).toEqual(expect.arrayContaining(['r1/m']))
    expect(ids()).not.toContain('r2/m')
    await sent
    expect(server.requests.at(-1)?.body).toMatchObject({ afterRunId: 'r1' })
    expect(ids()).not.toContain('r2/m')
    await store.send('And then')
    expect(server.requests.at(-1)?.body).toMatchObject({ afterRunId: server.ids().at(-2) })
  })

  it('begins the conversation anew', async () => {
    const { server, store, ids } = await threadOf([[...answerEvents('One.'), ...ending]])
    await store.send('From the start', { after: null, agent: 'mill' })
    expect(server.requests.at(-1)?.body).toMatchObject({ afterRunId: null })
    expect(ids()).not.toContain('r1/m')
  })
})
