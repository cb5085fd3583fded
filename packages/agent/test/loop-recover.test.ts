import type { StreamEvent } from '@millrace/core/events'
import type { Log } from '@millrace/server/log/log'
import { memory } from '@millrace/server/log/memory'
import { answerApproval } from '@millrace/server/run/ask'
import { createRuns } from '@millrace/server/run/create-runs'
import type { Runs } from '@millrace/server/run/runs'
import { describe, expect, it } from 'vitest'
import type { StepOf } from '../../../recorders/provider/server.ts'
import { type ModelAgent, modelAgent } from '../src/loop/model-agent.ts'
import type { Tool } from '../src/tool.ts'
import { ofType } from './bench.ts'
import { apiNames, scriptedModel, step } from './models.ts'

const input = { type: 'object' } as const

/** Tools that note what they do. */
function notedTools(done: string[]): readonly Tool[] {
  return [
    {
      id: 'dig',
      description: 'Digs.',
      input,
      approve: true,
      call: (value) => `${done.push(JSON.stringify(value))} dug`,
    },
    {
      id: 'haul',
      description: 'Hauls.',
      input,
      approve: true,
      call: () => {
        done.push('hauling')
        return new Promise(() => undefined)
      },
    },
    { id: 'wait', description: 'Waits.', input, call: () => new Promise(() => void done.push('waiting')) },
    {
      id: 'ask',
      description: 'Asks a question of its own.',
      input,
      async call(_value, ctx) {
        done.push('asking')
        return (await ctx.ask('How deep?')).state
      },
    },
  ]
}

const call = (name: string, given = {}) => ({ name, input: given })

async function eventsOf(log: Log): Promise<readonly StreamEvent[]> {
  const all: StreamEvent[] = []
  for await (const entries of log.read('r', { after: 0, live: false })) all.push(...entries.map(({ event }) => event))
  return all
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The condition was never met.')
}

/** A process that uses the log; it hears nothing more once it has died. */
async function openProcess(log: Log, agent: Parameters<typeof modelAgent>[0], done: string[]) {
  let isDead = false
  const own: Log = {
    ...log,
    watch: (subject, listener) => log.watch(subject, () => (isDead ? undefined : listener())),
  }
  const runs = createRuns({
    log: own,
    agents: [modelAgent({ ...agent, tools: notedTools(done) })],
    report: () => undefined,
  })
  return {
    runs,
    die() {
      isDead = true
    },
  }
}

/** A run that is left in the middle of its questions, in another process. */
async function left(
  api: (typeof apiNames)[number],
  stepOf: StepOf,
  isReady: (events: readonly StreamEvent[]) => boolean,
  act: (before: { readonly log: Log; readonly runs: Runs }, done: readonly string[]) => Promise<void> = async () =>
    undefined,
) {
  const log = await memory.open({ folder: '' })
  const { model, bodies } = await scriptedModel(api, stepOf)
  const agent: ModelAgent = { title: 'Tester', model }
  const before: string[] = []
  const first = await openProcess(log, agent, before)
  await first.runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'r' })
  await until(async () => isReady(await eventsOf(log)))
  await act({ log, runs: first.runs }, before)
  first.die()
  for (const { owner } of await log.openRuns()) if (owner !== undefined) await log.leave(owner)
  const after: string[] = []
  const { runs } = await openProcess(log, agent, after)
  await runs.recover()
  const ended = async () => {
    await until(async () => (await log.run('r'))?.state === 'ended')
    await runs.close()
    return eventsOf(log)
  }
  return { log, runs, bodies, before, after, ended }
}

const asked = (count: number) => (events: readonly StreamEvent[]) => ofType(events, 'approval').length === count

const saysResults: StepOf = ({ toolResults }) => step({ text: `Seen: ${toolResults.join(' | ')}` })

describe.each(apiNames)('a run over %s whose process dies while a person is asked', (api) => {
  it('goes on with the answer, from the log alone, and repeats no request', async () => {
    const { runs, bodies, before, after, ended } = await left(
      api,
      (conversation) =>
        conversation.toolResults.length === 0
          ? step({ text: 'I dig.', calls: [call('dig', { at: 'A' })] })
          : saysResults(conversation, undefined),
      asked(1),
    )
    expect(bodies.length).toBe(1)
    await answerApproval(runs, 'r', 'approval-1', { state: 'approved' })
    const events = await ended()
    expect([before, after]).toEqual([[], ['{"at":"A"}']])
    expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'success' }])
    expect(ofType(events, 'approval').map(({ state }) => state)).toEqual(['requested', 'approved'])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: '1 dug' }])
    expect(JSON.stringify(ofType(events, 'block-delta'))).toContain('Seen: ')
    expect(bodies.length).toBe(2)
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('does not repeat a call that was running', async () => {
    const { runs, before, after, ended } = await left(
      api,
      (conversation) =>
        conversation.toolResults.length === 0
          ? step({ calls: [call('wait'), call('dig', { at: 'A' }), call('dig', { at: 'B' })] })
          : saysResults(conversation, undefined),
      asked(2),
    )
    await answerApproval(runs, 'r', 'approval-2', { state: 'approved', input: { at: 'C' } })
    await answerApproval(runs, 'r', 'approval-1', { state: 'denied', message: 'Not there.' })
    const events = await ended()
    expect([before, after]).toEqual([['waiting'], ['{"at":"C"}']])
    const outputs = new Map(ofType(events, 'tool-output').map((output) => [output.callId, output]))
    expect(ofType(events, 'tool-start').map(({ callId }) => outputs.get(callId))).toMatchObject([
      { status: 'error', error: expect.stringContaining('interrupted') },
      { status: 'denied', error: 'Not there.' },
      { status: 'ok', output: '1 dug' },
    ])
    expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'success' }])
  })
})

const approvalFor = (events: readonly StreamEvent[], message: string) =>
  ofType(events, 'approval').find((approval) => approval.message === message)?.approvalId ?? ''

it('a call that asked a question of its own is not repeated', async () => {
  const { log, runs, after, ended } = await left(
    'anthropic',
    (conversation) =>
      conversation.toolResults.length === 0
        ? step({ calls: [call('ask'), call('dig', { at: 'A' })] })
        : saysResults(conversation, undefined),
    asked(2),
  )
  await answerApproval(runs, 'r', approvalFor(await eventsOf(log), 'May dig run?'), { state: 'denied' })
  const events = await ended()
  expect(after).toEqual([])
  expect(ofType(events, 'tool-output')).toMatchObject([
    { status: 'error', error: expect.stringContaining('interrupted') },
    { status: 'denied' },
  ])
})

it('a call that was approved, and ran when its process died, is not repeated', async () => {
  const { log, runs, before, after, ended } = await left(
    'openai',
    (conversation) =>
      conversation.toolResults.length === 0
        ? step({ calls: [call('haul'), call('dig', { at: 'A' })] })
        : saysResults(conversation, undefined),
    asked(2),
    async ({ log, runs }, done) => {
      await answerApproval(runs, 'r', approvalFor(await eventsOf(log), 'May haul run?'), { state: 'approved' })
      await until(async () => done.length > 0)
    },
  )
  await answerApproval(runs, 'r', approvalFor(await eventsOf(log), 'May dig run?'), { state: 'approved' })
  const outputs = ofType(await ended(), 'tool-output')
  expect([before, after]).toEqual([['hauling'], ['{"at":"A"}']])
  expect(outputs.map(({ status }) => status).sort()).toEqual(['error', 'ok'])
})
