import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRuns } from '../src/run/create-runs.ts'
import {
  agentOf,
  bodyOf,
  brokenBody,
  bytesOf,
  createPipe,
  createReports,
  createSleeper,
  isEnded,
  lineOf,
  openLog,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const format = 'auto'
const lines = [lineOf('start'), textLine('One '), textLine('two '), textLine('three.'), lineOf('done')]
const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url)))

async function open() {
  const log = await openLog()
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  const runs = createRuns({ log, agents: [agentOf(() => bodyOf(lineOf('done')))], sleep: sleeper.sleep, report })
  return { log, sleeper, reports, runs }
}

describe('ingesting a stream whose format is not named', () => {
  it.each(['codex-exec/scenario.jsonl', 'a2a/recorded-0.3.sse', 'claude-agent-sdk/scenario.jsonl'])(
    'reads %s as its format is, with every byte, in one piece or in pieces of 7 bytes',
    async (name) => {
      const { log, runs } = await open()
      const bytes = fixture(name)
      const named = await runs.ingest({ format: name.split('/')[0] ?? '' }, bodyOf(bytes))
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7))
      for (const body of [bodyOf(bytes), bodyOf(...pieces)]) {
        const { runId, ...counts } = await runs.ingest({ format }, body)
        const { rawRecords, entries, outcome } = named
        expect(counts).toMatchObject({ rawRecords, entries, outcome })
        expect((await log.run(runId))?.format).toBe(name.split('/')[0])
      }
    },
  )

  it('shows the beginning of a stream that is silent after it', async () => {
    const { log, runs, sleeper } = await open()
    const pipe = createPipe()
    const fed = runs.ingest({ format, runId: 'r' }, pipe)
    pipe.write(lines.slice(0, 2).join(''))
    await until(() => sleeper.sleeping() === 1)
    expect(await log.run('r')).toBeUndefined()
    sleeper.wakeAll()
    await until(async () => (await log.run('r'))?.rawRecords === 2)
    pipe.write(lines.slice(2).join(''))
    pipe.end()
    expect(await fed).toMatchObject({ rawRecords: 5, outcome: 'success' })
  })

  it('waits for more if a silent stream leaves doubt', async () => {
    const { log, runs, sleeper } = await open()
    const pipe = createPipe()
    const fed = runs.ingest({ format, runId: 'r' }, pipe)
    pipe.write('{"hello":1}\n')
    await until(() => sleeper.sleeping() === 1)
    sleeper.wakeAll()
    for (const line of lines) pipe.write(line)
    pipe.end()
    expect(await fed).toMatchObject({ rawRecords: 6 })
    expect((await log.run('r'))?.format).toBe('agent-lines')
  })

  it('continues a run in the format of its beginning', async () => {
    const { log, runs } = await open()
    await refusalOf(runs.ingest({ format: 'agent-lines', runId: 'r' }, brokenBody(lines.slice(0, 3).join(''))))
    const body = bodyOf('{"hello":1}\n')
    expect(await runs.ingest({ format, runId: 'r', attempt: 2, line: 3 }, body)).toMatchObject({ rawRecords: 4 })
    expect(await isEnded(log, 'r')()).toBe(true)
  })

  it.each([
    ['is in doubt', () => bodyOf('{"hello":1}\n'), /no parser knows/],
    ['is empty', () => bodyOf(), /no records/],
    ['is no text', () => bodyOf(new Uint8Array(5000).fill(7)), /no record is JSON/],
    ['breaks off', () => brokenBody('{"hello":1}\n'), /broke off/],
  ])('refuses a body that %s, and begins no run', async (_what, body, reason) => {
    const { log, runs } = await open()
    const refused = runs.ingest({ format, runId: 'r' }, body())
    await expect(refused).rejects.toMatchObject({
      code: 'format-not-recognised',
      message: expect.stringMatching(reason),
    })
    expect(await log.run('r')).toBeUndefined()
  })

  it('keeps no more than 32 MiB of a line without an end, and closes the body', async () => {
    const { runs } = await open()
    let [sent, isClosed] = [0, false]
    async function* endless() {
      try {
        for (;;) yield bytesOf('x'.repeat(1024 * 1024 + 0 * sent++))
      } finally {
        isClosed = true
      }
    }
    expect(await refusalOf(runs.ingest({ format }, endless()))).toMatchObject({ code: 'format-not-recognised' })
    expect(sent).toBe(33)
    expect(isClosed).toBe(true)
  })
})
