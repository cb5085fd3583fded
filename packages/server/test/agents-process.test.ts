import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createProcessBench, PRELUDE, scriptAgent } from './process-bench.ts'
import { until } from './run-parts.ts'

const textsOf = (events: readonly object[]) => JSON.stringify(events)
const playing = (body: string) => `${PRELUDE};(async () => { const input = await hear(); ${body} })()`

describe('a program as an agent', () => {
  it('gets the input on stdin, and its lines are the run', async () => {
    const bench = await createProcessBench(
      scriptAgent(playing(`say('text', { content: input.data.text + ' in ' + process.cwd() }); say('done')`)),
    )
    await bench.start('r', 'Measure')
    const events = await bench.ended('r')
    expect(textsOf(events)).toContain(`Measure in ${join(bench.folder, 'work', 'thr')}`)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
  })

  it('SECURITY 18: gets only the variables that are listed, and no value is logged', async () => {
    process.env.CANARY_PASSED = 'canary-value-one'
    process.env.CANARY_KEPT = 'canary-value-two'
    process.env.MILLRACE_CANARY = 'canary-value-three'
    const code = playing(`say('text', { content: Object.keys(process.env).sort().join() }); say('done')`)
    const bench = await createProcessBench(scriptAgent(code, { env: ['CANARY_PASSED', 'MILLRACE_CANARY'] }))
    await bench.start('r')
    const events = textsOf(await bench.ended('r'))
    delete process.env.CANARY_PASSED
    delete process.env.CANARY_KEPT
    delete process.env.MILLRACE_CANARY
    expect(events).toContain('CANARY_PASSED')
    expect(events).toContain('MILLRACE_RUN')
    expect(events).not.toContain('CANARY_KEPT')
    expect(events).not.toContain('MILLRACE_CANARY')
    expect(events).not.toContain('canary-value')
  })

  it('keeps both directions of its connection for its owner, if MILLRACE_TRACE is 1', async () => {
    process.env.MILLRACE_TRACE = '1'
    const code = playing(`say('text', { content: 'Half' }); process.stdout.write('{"type":"done"}\\n{"rest')`)
    const bench = await createProcessBench(scriptAgent(code))
    await bench.start('r/1', 'Measure')
    await bench.ended('r/1')
    delete process.env.MILLRACE_TRACE
    const path = join(bench.folder, 'trace', 'r%2F1.jsonl')
    await until(async () => (await readFile(path, 'utf8')).includes('rest'))
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    const said = lines.map((line) => JSON.parse(line)).map(({ from, line }) => [from, JSON.stringify(line)])
    expect(said.map(([from]) => from)).toEqual(['millrace', 'program', 'program', 'program'])
    expect(said[0]?.[1]).toContain('Measure')
    expect(said.slice(1).join()).toMatch(/Half.*done.*rest/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await bench.start('r2')
    await bench.ended('r2')
    expect(await readdir(join(bench.folder, 'trace'))).toEqual(['r%2F1.jsonl'])
  })

  it.each(['approved', 'denied'] as const)('hears that its question is %s', async (state) => {
    const code = playing(`say('ask', { id: 'q', message: 'May I?' }); const { data } = await hear()
      say('text', { content: 'It is ' + data.state }); say('done')`)
    const bench = await createProcessBench(scriptAgent(code))
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'approval')
    expect(await answerApproval(bench.runs, 'r', 'q', { state })).toBe('answered')
    expect(textsOf(await bench.ended('r'))).toContain(`It is ${state}`)
  })

  it('hears what a person says while it runs', async () => {
    const code = playing(
      `say('text', { content: 'Ready.' }); say('text', { content: (await hear()).data.text }); say('done')`,
    )
    const bench = await createProcessBench(scriptAgent(code))
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'block-delta')
    await bench.runs.tell('r', { command: { type: 'steer', messageId: 'm', text: 'Hurry!', when: 'now' } })
    expect((await bench.ended('r')).filter((event) => JSON.stringify(event).includes('Hurry!'))).toHaveLength(2)
  })

  it('is asked to stop in its own words first', async () => {
    const code = playing(`say('text', { content: 'Ready.' }); const { type } = await hear()
      say('text', { content: 'heard ' + type }); process.exit(1)`)
    const bench = await createProcessBench(scriptAgent(code))
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'block-delta')
    await stopRun(bench.runs, 'r')
    const events = await bench.ended('r')
    expect(textsOf(events)).toContain('heard stop')
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })

  it('continues its own conversation in the next run, and is given the whole thread if it lost it', async () => {
    const code = playing(`
      if (input.data.session === 'lost') process.exit(3)
      say('session', { id: input.data.session ? 'lost' : 'mine' })
      say('text', { content: '<' + input.data.session + '> ' + input.data.text }); say('done')`)
    const bench = await createProcessBench(scriptAgent(code))
    for (const runId of ['r1', 'r2', 'r3']) {
      await bench.start(runId, `Question ${runId}`)
      await bench.ended(runId)
    }
    const [, second, third] = await Promise.all(['r1', 'r2', 'r3'].map(async (id) => textsOf(await bench.ended(id))))
    expect(second).toContain('<mine> Question r2')
    expect(third).toContain('<undefined> The conversation so far:')
    expect(third).toContain('begins a new conversation')
  })

  it('that fails is explained: the code, and the end of its stderr without secrets and escapes', async () => {
    process.env.CANARY = 'canary-in-stderr'
    const half = `process.stderr.write('key canary-in'); setTimeout(() => { process.stderr.write('-stderr \\u001b[31mred\\n')
      setTimeout(() => process.exit(7), 20) }, 20)`
    const agent = scriptAgent(playing(half), { env: ['CANARY'] })
    const bench = await createProcessBench(agent)
    await bench.start('r')
    const events = await bench.ended('r')
    delete process.env.CANARY
    expect(events.at(-1)).toMatchObject({
      outcome: 'error',
      error: { code: 'agent-exit', message: 'tester ended with code 7.' },
    })
    expect(agent.stderr?.('r')).toBe('key [hidden] red\n')
    expect(textsOf(events)).toContain('key [hidden] red')
  })

  it('that is missing is refused before a run exists, and says where it was looked for', async () => {
    const agent = scriptAgent('', { command: ['no-such-program'], install: 'npm install -g no-such-program' })
    const bench = await createProcessBench(agent)
    expect(agent.unavailable?.()).toMatch(/"no-such-program".*~\/\.local\/bin.*npm install -g no-such-program/)
    await expect(bench.start('r')).rejects.toMatchObject({ code: 'agent-unavailable' })
    expect(await bench.log.run('r')).toBeUndefined()
  })

  it('is never a batch file, which a shell would read', () => {
    expect(scriptAgent('', { command: ['agent.CMD'] }).unavailable?.()).toContain('batch file')
  })

  it('prints its version when a person asks', async () => {
    expect(await scriptAgent('').check?.()).toEqual({ isReady: true, message: process.version })
  })
})

describe('a program that misbehaves', () => {
  const limited = async (body: string, limits: object) => {
    const bench = await createProcessBench(scriptAgent(playing(body), { limits }))
    await bench.start('r')
    const events = await bench.ended('r')
    expect(bench.leftOver()).toBe(0)
    return events.at(-1)
  }
  const overLimit = (text: string) => ({
    outcome: 'error',
    error: { code: 'limit', message: expect.stringContaining(text) },
  })

  it('with a line without end is stopped', async () => {
    const body = `const part = 'x'.repeat(65536); const more = () => process.stdout.write(part, more); more()`
    expect(await limited(body, { line: 1_000_000 })).toMatchObject(overLimit('a line of more than'))
  })

  it('with output without end is stopped', async () => {
    const body = `const more = () => process.stdout.write(JSON.stringify({ type: 'text', data: { content: 'x'.repeat(9999) } }) + '\\n', more); more()`
    expect(await limited(body, { output: 2 * 1024 * 1024 })).toMatchObject(overLimit('printed more than 2 MB'))
  })

  it('that is silent is stopped, unless it waits for a person', async () => {
    expect(await limited('setInterval(() => {}, 1000)', { idle: 200 })).toMatchObject(overLimit('printed nothing'))
  })

  it('that takes too long is stopped', async () => {
    expect(await limited('setInterval(() => {}, 1000)', { time: 100 })).toMatchObject(overLimit('ran longer'))
  })

  it('that takes too much memory is stopped', async () => {
    expect(await limited('setInterval(() => {}, 1000)', { memory: 1024, idle: 60_000 })).toMatchObject(
      overLimit('memory'),
    )
  })

  it('that ignores SIGTERM is ended', async () => {
    const body = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
    expect(await limited(body, { time: 300 })).toMatchObject(overLimit('ran longer'))
  })

  it('that leaves a child in another session leaves nothing', async () => {
    const body = `const { pid } = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { detached: true, stdio: 'inherit' }); say('text', { content: 'child ' + pid }); say('done')`
    const bench = await createProcessBench(scriptAgent(playing(body)))
    await bench.start('r')
    const events = await bench.ended('r')
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
    const pid = /child (\d+)/.exec(textsOf(events))?.[1]
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    expect(command).not.toContain('setInterval')
  })

  it('that ends in the middle of a line loses nothing and says so', async () => {
    const bench = await createProcessBench(
      scriptAgent(playing(`process.stdout.write('{"type":"text","da', () => process.exit(0))`)),
    )
    await bench.start('r')
    const events = textsOf(await bench.ended('r'))
    expect(events).toContain('in the middle of a line')
    expect(events).toContain('\\"da')
  })

  it('that closes its output and lives is ended', async () => {
    const bench = await createProcessBench(
      scriptAgent(playing(`say('text', { content: 'bye' }); require('fs').closeSync(1); setInterval(() => {}, 1000)`)),
    )
    await bench.start('r')
    expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'error', error: { code: 'agent-exit' } })
  })

  it('cannot answer its own question', async () => {
    const code = playing(`say('ask', { id: 'q', message: 'May I?' })
      process.stdout.write(JSON.stringify({ type: 'answer', data: { id: 'q', state: 'approved' } }) + '\\n')
      await hear(); say('done')`)
    const bench = await createProcessBench(scriptAgent(code))
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'raw')
    expect(await answerApproval(bench.runs, 'r', 'q', { state: 'denied' })).toBe('answered')
    const approvals = (await bench.ended('r')).flatMap((event) => (event.type === 'approval' ? [event.state] : []))
    expect(approvals).toEqual(['requested', 'denied'])
  })

  it('does not choose where its files go', async () => {
    const bench = await createProcessBench(scriptAgent(playing(`say('done')`)))
    await bench.start('r')
    await bench.ended('r')
    expect(await readdir(join(bench.folder, 'work'))).toEqual(['thr'])
  })
})
