import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import type { Log } from '../src/log/log.ts'
import type { Agent, AgentInput } from '../src/run/agent.ts'
import { stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Owner } from '../src/run/owner.ts'
import { createSteering } from '../src/run/steering.ts'
import { aborted, agentOf, bodyOf, bytesOf, eventsOf, lineOf, openLog, textLine } from './run-parts.ts'
import { everyLog, expectOneEnd, has, openNodes, START, until } from './two-nodes.ts'

describe.each(everyLog)('steering through another node, over one %s log', (name) => {
  const steer = (messageId: string, text: string, when: 'now' | 'next' = 'now') => ({
    command: { type: 'steer', messageId, text, when } as const,
    key: `steer ${messageId}`,
  })

  it('steer: the agent takes the message, which is logged when it does', async () => {
    const taken: string[] = []
    const agent: Agent = {
      ...agentOf(async function* (_request, host) {
        yield bytesOf(textLine('Working.'))
        for await (const { text } of host.messages()) {
          taken.push(text)
          if (taken.length === 2) break
        }
        yield* bodyOf(lineOf('done'))
      }),
      can: { steer: true },
    }
    const { log, one, other, reports } = await openNodes(name, [agent])
    await one.start(START)
    await until(has(log, 'r', 'block-delta'))
    expect((await other.tell('r', steer('msg-1', 'Left!'))).result?.state).toBe('applied')
    expect((await other.tell('r', steer('msg-1', 'Left!'))).number).toBe(1)
    expect((await one.tell('r', steer('msg-2', 'Right!'))).result?.state).toBe('applied')
    await expectOneEnd(log, 'r', 'success')
    expect(taken).toEqual(['Left!', 'Right!'])
    const spoken = (await eventsOf(log, 'r')).filter(
      (event) => 'messageId' in event && /^msg-/.test(event.messageId ?? ''),
    )
    expect(spoken.map(({ type }) => type).filter((type) => type === 'control' || type === 'message-start')).toEqual([
      'control',
      'message-start',
      'control',
      'message-start',
    ])
    expect(await log.runs('t')).toHaveLength(1)
    expect(reports).toEqual([])
  })

  it('steer: what an agent does not take goes to one run after it, in order, without what was taken back', async () => {
    const inputs: string[] = []
    const agent = agentOf(async function* ({ input }) {
      inputs.push(input.text)
      yield bytesOf(textLine('Working.'))
      if (inputs.length === 1) await gate.promise
      yield* bodyOf(lineOf('done'))
    })
    const gate = Promise.withResolvers<void>()
    const { log, one, other, reports } = await openNodes(name, [agent])
    await one.start(START)
    await until(has(log, 'r', 'block-delta'))
    for (const nth of [1, 2, 3]) await other.tell('r', steer(`msg-${nth}`, `Message ${nth}`))
    const takeBack = { command: { type: 'take-back', messageId: 'msg-2' } } as const
    expect((await other.tell('r', takeBack)).result?.state).toBe('applied')
    expect((await other.tell('r', takeBack)).result).toEqual({ state: 'refused', code: 'not-pending' })
    gate.resolve()
    await expectOneEnd(log, 'r', 'success')
    await until(async () => (await log.runs('t')).length === 2)
    const next = (await log.runs('t'))[1]?.id ?? ''
    await expectOneEnd(log, next, 'success')
    expect(inputs).toEqual(['Go', 'Message 1\n\nMessage 3'])
    const asked = (await eventsOf(log, next)).filter((event) => event.type === 'message-start' && event.role === 'user')
    expect(asked).toMatchObject([{ messageId: 'msg-1' }, { messageId: 'msg-3' }])
    expect((await log.run(next))?.afterRunId).toBe('r')
    expect(reports).toEqual([])
  })

  it('steer: what a stopped agent did not take is dropped, and the log says so', async () => {
    const agent = agentOf(async function* ({ signal }) {
      yield bytesOf(textLine('Working.'))
      await aborted(signal)
    })
    const { log, one, other } = await openNodes(name, [agent])
    await one.start(START)
    await until(has(log, 'r', 'block-delta'))
    await other.tell('r', steer('msg-1', 'Left!'))
    await stopRun(other, 'r')
    await expectOneEnd(log, 'r', 'cancelled')
    const controls = (await eventsOf(log, 'r')).filter(({ type }) => type === 'control')
    expect(controls).toMatchObject([
      { action: 'steer', messageId: 'msg-1' },
      { action: 'stop' },
      { action: 'steer', messageId: 'msg-1', dropped: true },
    ])
    expect(await log.runs('t')).toHaveLength(1)
  })

  it.each([true, false])(
    'steer: only an agent that can be steered hears it (%s), and only what is for now',
    async (canSteer) => {
      const heard: string[] = []
      const agent: Agent = {
        ...agentOf(async function* ({ input }, host) {
          inputs.push(input.text)
          yield bytesOf(textLine('Working.'))
          if (inputs.length === 1) {
            void read(host.messages(), heard)
            await gate.promise
          }
          yield* bodyOf(lineOf('done'))
        }),
        can: { steer: canSteer },
      }
      const inputs: string[] = []
      const gate = Promise.withResolvers<void>()
      const { log, one, other } = await openNodes(name, [agent])
      await one.start(START)
      await until(has(log, 'r', 'block-delta'))
      await other.tell('r', steer('msg-1', 'Later.', 'next'))
      await other.tell('r', steer('msg-2', 'Now!'))
      if (canSteer) await until(() => heard.length > 0)
      const takeBack = { command: { type: 'take-back', messageId: 'msg-2' } } as const
      if (canSteer) expect((await other.tell('r', takeBack)).result).toEqual({ state: 'refused', code: 'not-pending' })
      gate.resolve()
      await until(() => inputs.length === 2)
      expect([heard, inputs[1]]).toEqual(canSteer ? [['Now!'], 'Later.'] : [[], 'Later.\n\nNow!'])
    },
  )
})

async function read(messages: AsyncIterable<AgentInput>, texts: string[]): Promise<void> {
  for await (const { text } of messages) texts.push(text)
}

it('steer: a message cannot be taken back while the log stores that the agent takes it', async () => {
  const stored = await openLog()
  const [taking, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const append: Log['append'] = async (runId, position, added) => {
    if (added.events.some((event) => event.type === 'message-start' && event.messageId === 'msg-1')) {
      taking.resolve()
      await released.promise
    }
    return stored.append(runId, position, added)
  }
  const agent: Agent = {
    ...agentOf(async function* (_request, host) {
      for await (const { text } of host.messages()) return yield* bodyOf(textLine(text), lineOf('done'))
    }),
    can: { steer: true },
  }
  const runs = createRuns({ log: { ...stored, append }, agents: [agent] })
  await runs.start(START)
  await runs.tell('r', { command: { type: 'steer', messageId: 'msg-1', text: 'Left!', when: 'now' } })
  await taking.promise
  const takenBack = runs.tell('r', { command: { type: 'take-back', messageId: 'msg-1' } })
  await until(async () => (await stored.commands('r', { after: 1 })).length === 1)
  released.resolve()
  expect((await takenBack).result).toMatchObject({ state: 'refused' })
  await expectOneEnd(stored, 'r', 'success')
  expect(JSON.stringify(await eventsOf(stored, 'r'))).not.toContain('dropped')
})

it('the messages that a run has not taken get their run, although its node has died', async () => {
  const inputs: string[] = []
  const agent = agentOf(async function* ({ input }) {
    inputs.push(input.text)
    yield* bodyOf(lineOf('done'))
  })
  const { log, other } = await openNodes('memory', [agent])
  const run = { threadId: 't', agent: 'tester', format: 'agent-lines', parserVersion: 1, attempt: 1 }
  await log.createRun({ ...run, id: 'r' })
  await log.tell('r', { command: { type: 'steer', messageId: 'msg-1', text: 'Left!', when: 'now' } })
  await log.append(
    'r',
    { epoch: 0, afterSeq: 0 },
    {
      inputs: [],
      events: [{ type: 'run-end', outcome: 'success' }],
      settle: [{ number: 1, result: { state: 'applied', seq: 1 } }],
      followUp: { ...run, id: 'next', afterRunId: 'r', idempotencyKey: 'msg-1' },
    },
  )
  expect((await log.run('next'))?.state).toBe('queued')
  await other.recover()
  await expectOneEnd(log, 'next', 'success')
  expect(inputs).toEqual(['Left!'])
})

describe('an agent that reads messages in the background', () => {
  it('reads their end, not an error, when its node has lost the run', async () => {
    let hasFailed = false
    const owner = {
      isEnded: () => false,
      hasFailed: () => hasFailed,
      async add(_events: readonly StreamEvent[], command?: number) {
        if (command !== undefined) return
        hasFailed = true
        throw new LogError('stale-owner', 'r')
      },
    } as Partial<Owner> as Owner
    const steering = createSteering(owner)
    await steering.add({ type: 'steer', messageId: 'm', text: 'Left!', when: 'now' }, { number: 1, by: undefined })
    expect(await steering.messages()[Symbol.asyncIterator]().next()).toMatchObject({ done: true })
  })
})
