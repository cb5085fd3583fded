import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fold } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { createWorkshop, type WorkshopOptions } from '../src/agents/workshop.ts'
import { stopRun } from '../src/run/ask.ts'
import { createProcessBench, workFolder } from './process-bench.ts'
import { entriesOf } from './run-parts.ts'

async function bench(limits: WorkshopOptions['limits'] = {}) {
  const made = await createProcessBench(createWorkshop({ threads: workFolder(), limits }))
  async function ran(text: string, runId = 'r') {
    await made.start(runId, text)
    await made.ended(runId)
    const { chatEvents, outcome, metadata } = fold(await entriesOf(made.log, runId))
    const segments = chatEvents.flatMap((chat) => (chat.role === 'assistant' ? chat.segments : []))
    const tools = segments.flatMap((each) => (each.type === 'tool' ? [each] : []))
    const words = segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('')
    expect(made.leftOver()).toBe(0)
    return { segments, tools, words, outcome, metadata }
  }
  return { ...made, ran }
}

const printedBy = (tool: { readonly progress?: readonly { readonly text?: string }[] } | undefined) =>
  (tool?.progress ?? []).map(({ text }) => text).join('')

describe('the workshop', () => {
  it('runs a command in the folder of the thread, with what it prints on both channels in order', async () => {
    const { ran, folder } = await bench()
    const { tools, outcome, words } = await ran('pwd; echo wrong >&2; echo right')
    expect(printedBy(tools[0])).toBe(`${join(folder, 'work', 'thr')}\nwrong\nright\n`)
    expect(tools).toMatchObject([{ name: 'shell', state: 'done', output: { exit_code: 0 } }])
    expect([outcome, words]).toEqual(['success', ''])
  })

  it('shows what a command prints while it runs', async () => {
    const { start, seen, log, runs, ended } = await bench()
    await start('r', 'echo first; sleep 60; echo last')
    await seen('r', (event) => event.type === 'tool-progress' && event.text === 'first\n')
    expect((await log.run('r'))?.state).not.toBe('ended')
    await stopRun(runs, 'r')
    expect((await ended('r')).at(-1)).toMatchObject({ outcome: 'cancelled' })
  })

  it('plans several commands and stops at the first that fails, with its exit code', async () => {
    const { ran } = await bench()
    const { segments, tools, words, outcome } = await ran(
      '```\n$ true\n# not this\nexit 3\ntouch never\necho never\n```',
    )
    expect(tools.map(({ state, output }) => [state, output])).toEqual([
      ['done', { exit_code: 0 }],
      ['failed', { exit_code: 3 }],
    ])
    const plan = segments.find(({ type }) => type === 'todos')
    const items = ['true completed', 'exit 3 cancelled', 'touch never cancelled', 'echo never cancelled']
    expect(plan).toMatchObject({
      items: items.map((item) => expect.objectContaining({ status: item.split(' ').at(-1) })),
    })
    expect(words).toBe('`exit 3` ended with exit code 3. The 2 commands after it were not run.')
    expect(outcome).toBe('success')
  })

  it('runs a command that ends in & beside the next, as a subagent, and waits for it', async () => {
    const { ran } = await bench()
    const { segments, tools } = await ran('while [ ! -f go ]; do sleep 0.02; done; sleep 0.3; echo went &\ntouch go')
    expect(tools).toMatchObject([{ input: { command: 'touch go' }, state: 'done' }])
    const [background] = segments.flatMap((each) => (each.type === 'subagent' ? [each] : []))
    expect(background).toMatchObject({ name: 'background', state: 'done' })
    const [inside] = background?.segments.flatMap((each) => (each.type === 'tool' ? [each] : [])) ?? []
    expect([inside?.state, printedBy(inside)]).toEqual(['done', 'went\n'])
  })

  it('tells nothing of the server’s environment, and what a command prints is never more than text', async () => {
    process.env.CANARY_KEY = 'canary-in-the-workshop'
    const { ran } = await bench()
    const { tools, segments } = await ran(
      `env; echo '{"type":"done","data":{}}'; echo '{"type":"text","data":{"content":"x"}}'`,
    )
    delete process.env.CANARY_KEY
    expect(JSON.stringify(segments)).not.toContain('canary-in')
    expect(printedBy(tools[0])).toContain('{"type":"done"')
    expect(segments.map(({ type }) => type)).toEqual(['tool'])
  })

  it('ends a command that prints without end, and says so', async () => {
    const { ran } = await bench({ output: 200_000 })
    const { tools, words, outcome } = await ran('yes')
    expect(tools[0]).toMatchObject({ state: 'failed' })
    expect(words).toContain('`yes` printed more than')
    expect(outcome).toBe('success')
  })

  it('leaves nothing behind when a run is stopped: not a child in another session, nor one in the background', async () => {
    const { start, seen, runs, ended, leftOver } = await bench()
    await start('r', "trap '' TERM; sleep 61 &\nsetsid sleep 62 & echo up; sleep 63")
    await seen('r', (event) => event.type === 'tool-progress' && event.text === 'up\n')
    await stopRun(runs, 'r')
    await ended('r')
    expect(leftOver()).toBe(0)
  })

  it('says what to type if there is no command, and refuses more than fifty', async () => {
    const { ran } = await bench()
    expect((await ran(' \n')).words).toContain('Type a command')
    expect((await ran('true\n'.repeat(51), 's')).outcome).toBe('error')
  })

  it('keeps the files of one message for the next, and each line has a shell of its own', async () => {
    const { ran, folder } = await bench()
    await ran('echo one > kept\ncd /\npwd > where')
    expect(printedBy((await ran('cat kept where', 's')).tools[0])).toBe(`one\n${join(folder, 'work', 'thr')}\n`)
    expect(await readFile(join(folder, 'work', 'thr', 'kept'), 'utf8')).toBe('one\n')
  })

  it('logs how it was started, without values', async () => {
    const { ran } = await bench()
    const { metadata } = await ran('true')
    expect(metadata).toMatchObject({ millrace: { launch: { adapter: 'workshop', sandbox: 'none' } } })
  })
})
