import { recordOf } from '@millrace/core/source/source'
import { describe, expect, it } from 'vitest'
import type { Append, Log } from '../src/log/log.ts'
import { answerApproval } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { createOwner } from '../src/run/owner.ts'
import { createRunPosition } from '../src/run/run-position.ts'
import { createRunReader } from '../src/run/run-reader.ts'
import {
  agentOf,
  bodyOf,
  createPipe,
  createReports,
  entriesOf,
  eventsOf,
  lineOf,
  openLog,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const textRecord = (content: string) => recordOf(textLine(content).trim())
const full = () => Object.assign(new Error('database or disk is full'), { code: 'ENOSPC' })

/** A log that exposes its appends and holds each until the test releases it. */
async function heldUp() {
  const log = await openLog()
  const appends: Append[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const append: Log['append'] = async (runId, position, given) => {
    appends.push(given)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return log.append(runId, position, given)
  }
  const held: Log = { ...log, append }
  const { run } = await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  const failures: unknown[] = []
  const owner = createOwner({
    log: held,
    run,
    position: createRunPosition(createRunReader(run)),
    rawRecords: 0,
    keepFile: async () => {},
    onFailure: (error) => void failures.push(error),
  })
  return { log, appends, gates, owner, failures }
}

describe('the owner of a run', () => {
  it('appends at once while the log is idle, and puts all that arrives meanwhile into the next append', async () => {
    const { log, appends, gates, owner } = await heldUp()
    owner.push([textRecord('one ')])
    expect(appends).toHaveLength(1)
    owner.push([textRecord('two '), textRecord('three ')])
    const stopped = owner.add([{ type: 'control', action: 'stop' }])
    owner.push([textRecord('four ')])
    expect(appends).toHaveLength(1)
    gates[0]?.resolve()
    await until(() => appends.length === 2)
    expect(appends[1]?.inputs.map((input) => (input.by === 'producer' ? input.text : input.event.type))).toEqual([
      textRecord('two ').text,
      textRecord('three ').text,
      'control',
      textRecord('four ').text,
    ])
    expect(appends[1]?.events.map(({ type }) => type)).toEqual(['block-delta', 'block-delta', 'control', 'block-delta'])
    gates[1]?.resolve()
    await stopped
    expect((await entriesOf(log, 'r')).map(({ rawThrough }) => rawThrough)).toEqual([1, 1, 1, 1, 2, 3, 3, 4])
  })

  it('acknowledges nothing that is not durable', async () => {
    const { gates, owner } = await heldUp()
    let isSettled = false
    const added = owner.add([{ type: 'control', action: 'stop' }]).then(() => {
      isSettled = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isSettled).toBe(false)
    gates[0]?.resolve()
    await added
    expect(isSettled).toBe(true)
  })

  it('stops with the error of the log for current, waiting and later appends', async () => {
    const { log, appends, gates, owner, failures } = await heldUp()
    const first = owner.add([{ type: 'control', action: 'stop' }])
    const second = owner.add([{ type: 'control', action: 'resume' }])
    const ends = Promise.allSettled([first, second])
    gates[0]?.reject(full())
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    owner.push([textRecord('lost')])
    await expect(owner.settled()).rejects.toThrow('disk is full')
    await expect(owner.room()).rejects.toThrow('disk is full')
    await expect(owner.end()).rejects.toThrow('disk is full')
    expect(failures).toHaveLength(1)
    expect(appends).toHaveLength(1)
    expect(await entriesOf(log, 'r')).toEqual([])
  })

  it('stores the message with the append that ends the run, and accepts nothing after it', async () => {
    const { appends, gates, owner } = await heldUp()
    owner.push([textRecord('one ')])
    const ended = owner.end()
    const again = owner.close({ type: 'run-end', outcome: 'cancelled' })
    owner.push([textRecord('late')])
    const late = refusalOf(owner.add([{ type: 'control', action: 'stop' }]))
    gates[0]?.resolve()
    await until(() => gates.length === 2)
    gates[1]?.resolve()
    await Promise.all([ended, again])
    expect((await late).code).toBe('run-closed')
    expect(appends.map(({ message }) => message?.content)).toEqual([undefined, 'one '])
    expect(appends[1]?.inputs).toEqual([])
    expect(appends[1]?.events.at(-1)).toEqual({ type: 'run-end', outcome: 'interrupted' })
  })

  it('keeps a bounded part of a long text for that message', async () => {
    const { position } = (await heldUp()).owner
    position.note({ type: 'message-start', messageId: 'm', role: 'assistant' })
    position.note({ type: 'block-start', blockId: 'b', kind: 'text' })
    for (let part = 0; part < 9; part++) position.note({ type: 'block-delta', blockId: 'b', text: 'a'.repeat(2 ** 20) })
    expect(position.message('t').content.length).toBeLessThanOrEqual(8 * 2 ** 20)
  })

  it('makes a fast producer wait for the log', async () => {
    const { gates, owner } = await heldUp()
    owner.push([textRecord('one')])
    await owner.room()
    owner.push([textRecord('x'.repeat(2 * 1024 * 1024))])
    let hasRoom = false
    const room = owner.room().then(() => {
      hasRoom = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(hasRoom).toBe(false)
    gates[0]?.resolve()
    await room
    expect(hasRoom).toBe(true)
  })
})

describe('a log that fails', () => {
  async function failing() {
    const log = await openLog()
    let isFull = false
    const append: Log['append'] = async (...given) => {
      if (isFull) throw full()
      return log.append(...given)
    }
    const { report, reports } = createReports()
    const told = Promise.withResolvers<void>()
    const agent = agentOf(async function* ({ signal }, host) {
      yield* bodyOf(lineOf('text', { content: 'One ' }))
      await host.ask({ message: 'Go on?' })
      isFull = true
      signal.addEventListener('abort', () => told.resolve())
      yield* bodyOf(lineOf('text', { content: 'two ' }))
    })
    const runs = createRuns({ log: { ...log, append }, agents: [agent], report })
    return { log, runs, reports, told, fill: () => (isFull = true) }
  }

  it('stops an agent, reports the error, and keeps the durable part of the run', async () => {
    const { log, runs, reports, told } = await failing()
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'r' })
    await until(async () => (await eventsOf(log, 'r')).some(({ type }) => type === 'approval'))
    await answerApproval(runs, 'r', 'approval-1', { state: 'approved' })
    await told.promise
    await until(async () => (await log.run('r'))?.state === 'waiting')
    expect(reports).toMatchObject([{ code: 'ENOSPC' }])
    expect((await eventsOf(log, 'r')).at(-1)).toMatchObject({ type: 'approval', state: 'approved' })
  })

  it('rejects a producer with the same error', async () => {
    const { log, runs, fill } = await failing()
    const pipe = createPipe()
    const fed = refusalOf(runs.ingest({ format: 'agent-lines', runId: 'r' }, pipe))
    pipe.write(lineOf('text', { content: 'One ' }))
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    fill()
    pipe.write(lineOf('text', { content: 'two ' }))
    expect((await fed).code).toBe('ENOSPC')
    expect(await log.run('r')).toMatchObject({ state: 'waiting', rawRecords: 1 })
  })
})
