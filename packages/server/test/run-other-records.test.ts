import { describe, expect, it } from 'vitest'
import { answerApproval } from '../src/run/ask.ts'
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

  it('after the end is refused if only its last line, which no line break ends, is new', async () => {
    const { runs } = await open()
    await runs.ingest(options, bodyOf(textLine('one'), lineOf('done')))
    const unfinished = textLine('three').trimEnd()
    for (const line of [0, 2]) {
      const body = [textLine('one'), lineOf('done'), unfinished].slice(line)
      expect((await refusalOf(runs.ingest({ ...options, line }, bodyOf(...body)))).code).toBe('run-closed')
    }
    expect((await runs.ingest(options, bodyOf(textLine('one'), lineOf('done').trimEnd()))).rawRecords).toBe(2)
  })

  it('is compared with the records from its line on, also if a person has answered between them', async () => {
    const { log, runs } = await open()
    const chunks = [
      { type: 'start', messageId: 'm1' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
      { type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' },
      { type: 'tool-output-available', toolCallId: 'c', output: 'dug' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Done.' },
      { type: 'finish' },
    ]
    const records = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`)
    const producer = { format: 'ai-sdk', runId: 'r' }
    await refusalOf(runs.ingest(producer, brokenBody(...records.slice(0, 3))))
    expect(await answerApproval(runs, 'r', 'own', { state: 'approved' })).toBe('answered')
    await refusalOf(runs.ingest({ ...producer, attempt: 2, line: 3 }, brokenBody(...records.slice(3, 5))))
    expect(await log.run('r')).toMatchObject({ state: 'waiting', rawRecords: 5 })
    const answer = await runs.ingest({ ...producer, attempt: 3, line: 4 }, bodyOf(...records.slice(4)))
    expect(answer).toMatchObject({ rawRecords: 7, outcome: 'success' })
    for (const line of [0, 3, 4, 6]) {
      expect(await runs.ingest({ ...producer, line }, bodyOf(...records.slice(line)))).toEqual(answer)
    }
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
