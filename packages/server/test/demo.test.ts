import { createFold, type Segment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { demo } from '../src/run/demo.ts'
import { createReports, entriesOf, eventsOf, isEnded, openLog, timeless, until } from './run-parts.ts'

const isAsking =
  (log: Log, runId = 'r') =>
  async () =>
    (await eventsOf(log, runId)).some(({ type }) => type === 'approval')

async function bench(options: Parameters<typeof demo>[0] = { speed: Infinity }) {
  const log = await openLog()
  const { report, reports } = createReports()
  const runs = createRuns({ log, agents: [demo(options)], report })
  const start = (runId: string, text: string, threadId = 't') =>
    runs.start({ threadId, agent: 'demo', input: { text }, runId })

  async function played(runId: string, text: string, answer: Parameters<typeof answerApproval>[3], threadId = 't') {
    await start(runId, text, threadId)
    await until(isAsking(log, runId))
    await answerApproval(runs, runId, 'approval-1', answer)
    await until(isEnded(log, runId))
  }

  async function shown(runId: string) {
    const fold = createFold({ runId })
    fold.push(await entriesOf(log, runId))
    const { chatEvents, ...others } = fold.snapshot()
    const segments = chatEvents.flatMap((chat) => (chat.role === 'assistant' ? chat.segments : []))
    return { ...others, segments, texts: segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])) }
  }

  return { log, runs, reports, start, played, shown }
}

const ofType = <Type extends Segment['type']>(segments: readonly Segment[], type: Type) =>
  segments.flatMap((each) => (each.type === type ? [each as Extract<Segment, { type: Type }>] : []))

describe('the demo', () => {
  it('shows every kind of segment, and every line of it is understood', async () => {
    const { log, reports, played, shown } = await bench()
    await played('r', 'Can it turn?', { state: 'approved' })
    const { segments, texts, outcome, usage } = await shown('r')
    const kinds = ['file', 'reasoning', 'source', 'status', 'subagent', 'text', 'todos', 'tool']
    expect([...new Set(segments.map(({ type }) => type))].sort()).toEqual(kinds)
    expect(texts.at(-1)).toMatch(/^## [\s\S]*\n- [\s\S]*\n\| --- [\s\S]*\n```python\n/)
    expect(outcome).toBe('success')
    expect(usage).toMatchObject({ inputTokens: 5200, turns: 7 })
    expect((await eventsOf(log, 'r')).filter(({ type }) => type === 'raw')).toEqual([])
    expect(reports).toEqual([])
  })

  it('runs a test that fails, edits, and runs it again, with what each prints on the way', async () => {
    const { played, shown } = await bench()
    await played('r', 'Go', { state: 'approved' })
    const tools = ofType((await shown('r')).segments, 'tool')
    expect(tools.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'shell failed',
      'read_file done',
      'edit_file done',
      'shell done',
      'internet_search done',
      'draw_wheel done',
      'write_file done',
    ])
    expect(tools[0]).toMatchObject({ output: { exit_code: 1 }, progress: expect.arrayContaining([expect.anything()]) })
    expect(tools[2]?.input).toMatchObject({
      path: 'wheel/power.ts',
      edits: [{}, { new_string: expect.stringContaining('EFFICIENCY) /') }],
    })
    expect(JSON.stringify(tools[3]?.progress)).toContain('fail 0')
  })

  it('has a helper with calls of its own, sources, and a picture that is a PNG', async () => {
    const { played, shown } = await bench()
    await played('r', 'Go', { state: 'approved' })
    const { segments } = await shown('r')
    const [helper] = ofType(segments, 'subagent')
    expect(helper).toMatchObject({ state: 'done', summary: expect.stringContaining('Ashford') })
    expect(ofType(helper?.segments ?? [], 'tool').map(({ state }) => state)).toEqual(['done', 'done'])
    expect(ofType(segments, 'source')).toHaveLength(2)
    const bytes = Buffer.from(ofType(segments, 'file')[0]?.bytes ?? '', 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.toString('latin1')).toContain('IEND\xae\x42\x60\x82')
  })

  it('goes another way if the person denies, and repeats the reason', async () => {
    const { log, played, shown } = await bench()
    await played('r', 'Go', { state: 'denied', message: 'Not today.' })
    const { segments, texts, outcome } = await shown('r')
    expect(ofType(segments, 'tool').at(-1)).toMatchObject({ name: 'write_file', state: 'denied' })
    expect(JSON.stringify(segments)).toContain('Not today.')
    expect(texts.at(-1)).toContain('nothing was written')
    expect(outcome).toBe('success')
    expect((await log.messages('t'))[0]?.content).toContain('nothing was written')
  })

  it('writes what the person has made of the file', async () => {
    const { played, shown } = await bench()
    const input = { path: 'other.md', content: 'One\nTwo\n' }
    await played('r', 'Go', { state: 'approved', input })
    const { segments, texts } = await shown('r')
    expect(ofType(segments, 'tool').at(-1)?.output).toBe('Wrote 2 lines to other.md')
    expect(texts.at(-1)).toContain('other.md')
  })

  it('quotes what it is asked, and answers a second question otherwise', async () => {
    const { log, played, start, shown } = await bench()
    await played('r', 'Is [this](javascript:x) *safe*?', { state: 'approved' })
    expect((await shown('r')).texts[0]).toContain('> “Is \\[this\\](javascript:x) \\*safe\\*?”\n\n')
    const answers: string[] = []
    for (const runId of ['s', 'u']) {
      await start(runId, `And ${runId}?`)
      await until(isEnded(log, runId))
      answers.push((await shown(runId)).texts.join(''))
    }
    expect(answers[0]).toContain('> “And s?”')
    expect(answers[0]).toContain('Before that you asked: “Is')
    expect(answers[0]).toContain('a dry year')
    expect(answers[1]).toContain('a wet year')
  })

  it('is the same for the same questions', async () => {
    const { log, played } = await bench()
    await played('r', 'Go', { state: 'approved' }, 't')
    await played('s', 'Go', { state: 'approved' }, 'u')
    expect(await timeless(log, 's')).toEqual(await timeless(log, 'r'))
  })

  it('takes between 20 and 30 seconds, and no pause is longer than two', async () => {
    const pauses: number[] = []
    const { played } = await bench({ sleep: async (milliseconds) => void pauses.push(milliseconds) })
    await played('r', 'Can the old mill wheel be repaired?', { state: 'approved' })
    const seconds = pauses.reduce((sum, pause) => sum + pause, 0) / 1000
    expect(seconds).toBeGreaterThan(20)
    expect(seconds).toBeLessThan(30)
    expect(Math.max(...pauses)).toBeLessThan(2000)
  })

  it('can be stopped at every step, and leaves nothing open', async () => {
    const steps = 24
    for (let step = 0; step < steps; step++) {
      let count = 0
      const reached = Promise.withResolvers<void>()
      const sleep = (_milliseconds: number, signal?: AbortSignal) => {
        // The steps that are tried lie all over the errand.
        if (count++ < step * 8) return Promise.resolve()
        reached.resolve()
        return new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      }
      const { log, runs, reports, start, shown } = await bench({ sleep })
      await start('r', 'Go')
      const asking = until(isAsking(log)).then(() => reached.resolve())
      await reached.promise
      await stopRun(runs, 'r')
      await until(isEnded(log, 'r'))
      asking.catch(() => undefined)
      const { outcome, segments } = await shown('r')
      expect(outcome, `step ${step}`).toBe('cancelled')
      expect(JSON.stringify(segments)).not.toMatch(/"state":"(?:live|running|approval|requested)"/)
      expect(reports).toEqual([])
    }
  })
})
