import { describe, expect, it } from 'vitest'
import { createRuns } from '../src/run/create-runs.ts'
import { bodyOf, brokenBody, createSleeper, lineOf, openLog, refusalOf, textLine, timeless } from './run-parts.ts'

const options = { format: 'agent-lines', runId: 'r' }

async function open() {
  const log = await openLog()
  return { log, runs: createRuns({ log, agents: [], sleep: createSleeper().sleep }) }
}

describe('a body that is sent again', () => {
  it('after the end gets its response if it is the same, whole or from any record on', async () => {
    const { runs } = await open()
    const records = [textLine('one'), textLine('two'), lineOf('done')]
    const answer = await runs.ingest(options, bodyOf(...records))
    for (const line of [0, 1, 2, 3]) {
      expect(await runs.ingest({ ...options, line }, bodyOf(records.slice(line).join('')))).toEqual(answer)
    }
    expect(await runs.ingest(options, bodyOf(textLine('one')))).toEqual(answer)
  })

  it('after the end is refused if it differs or is longer', async () => {
    const { log, runs } = await open()
    await runs.ingest(options, bodyOf(textLine('one'), textLine('two'), lineOf('done')))
    const before = await timeless(log, 'r')
    for (const body of [
      [textLine('one'), textLine('TWO'), lineOf('done')],
      [textLine('one'), textLine('two'), lineOf('done'), textLine('three')],
    ]) {
      expect(await refusalOf(runs.ingest(options, bodyOf(...body)))).toEqual({ code: 'run-closed', rawRecords: 3 })
    }
    expect((await refusalOf(runs.ingest({ ...options, line: 1 }, bodyOf(textLine('one'))))).code).toBe('run-closed')
    expect(await timeless(log, 'r')).toEqual(before)
  })

  it('with a record that differs from the durable one adds nothing, and its run still waits', async () => {
    const { log, runs } = await open()
    await refusalOf(runs.ingest(options, brokenBody(textLine('one'), textLine('two'))))
    const other = await refusalOf(runs.ingest(options, bodyOf(textLine('one'), textLine('TWO'), textLine('three'))))
    expect(other).toEqual({ code: 'other-record', rawRecords: 2 })
    expect(await log.run('r')).toMatchObject({ state: 'waiting', rawRecords: 2 })
    const answer = await runs.ingest(
      options,
      bodyOf(textLine('one'), textLine('two'), textLine('three'), lineOf('done')),
    )
    expect(answer).toMatchObject({ rawRecords: 4, outcome: 'success' })
  })

  it('with another name is another record', async () => {
    const { runs } = await open()
    const sse = { ...options, framing: 'sse' } as const
    const event = (name: string) => `event: ${name}\ndata: ${textLine('one')}\n\n`
    await runs.ingest(sse, bodyOf(event('a')))
    expect((await refusalOf(runs.ingest(sse, bodyOf(event('b'))))).code).toBe('run-closed')
    expect((await runs.ingest(sse, bodyOf(event('a')))).rawRecords).toBe(1)
  })
})
