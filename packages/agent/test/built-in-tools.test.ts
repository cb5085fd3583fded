import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamEvent } from '@millrace/core/events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtInTools, defineAgent, type Tool } from '../src/public/index.ts'
import { markedProcesses } from '../src/tools/descendants.ts'
import { type Bench, createBench, ofType } from './bench.ts'

let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-tools-')))
  await mkdir(join(folder, 'work'))
  await writeFile(join(folder, 'secret.txt'), 'The code is 4711.')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const work = (name: string) => join(folder, 'work', name)

/** A run that calls one tool in the folder `work`. */
async function begin(id: keyof typeof builtInTools, input: unknown): Promise<Bench> {
  const agent = defineAgent({
    title: 'Tester',
    cwd: join(folder, 'work'),
    async *call(_memory, ctx) {
      yield* ctx.callTool(builtInTools[id] as Tool, input)
    },
  })
  const bench = await createBench(agent)
  await bench.start('r')
  return bench
}

async function approve(bench: Bench): Promise<void> {
  const asked = await bench.seen('r', ({ type }) => type === 'approval')
  await bench.answer('r', asked.type === 'approval' ? asked.approvalId : '', { state: 'approved' })
}

/** The events of a call; a question is approved. */
async function play(id: keyof typeof builtInTools, input: unknown): Promise<readonly StreamEvent[]> {
  const bench = await begin(id, input)
  if (builtInTools[id].approve === true) await Promise.race([approve(bench), bench.ended('r')])
  return bench.ended('r')
}

async function outputOf(id: keyof typeof builtInTools, input: unknown): Promise<string> {
  const [output] = ofType(await play(id, input), 'tool-output')
  return `${output?.status}: ${output?.output}`
}

describe('the tools for files', () => {
  it('write, read, change and list the files of the folder', async () => {
    expect(await outputOf('write_file', { path: 'log/day.txt', content: 'one\ntwo\nthree' })).toMatch(
      /^ok: log\/day.txt/,
    )
    expect(await readFile(work('log/day.txt'), 'utf8')).toBe('one\ntwo\nthree')
    expect(await outputOf('read_file', { path: 'log/day.txt', from: 2, lines: 1 })).toBe('ok: two')
    await outputOf('edit_file', { path: 'log/day.txt', find: 'two', replace: '2' })
    expect(await outputOf('read_file', { path: work('log/day.txt') })).toBe('ok: one\n2\nthree')
    expect(await outputOf('list_files', {})).toBe('ok: log/\nlog/day.txt')
    expect(await outputOf('list_files', { depth: 1 })).toBe('ok: log/')
  })

  it.each(['../secret.txt', '/etc/passwd', 'link/secret.txt', 'file-link', 'dangling', 'link/new.txt'])(
    'never touch %s, which is outside',
    async (path) => {
      await symlink(folder, work('link'))
      await symlink(join(folder, 'secret.txt'), work('file-link'))
      await symlink(join(folder, 'new.txt'), work('dangling'))
      for (const [id, more] of [
        ['read_file', {}],
        ['write_file', { content: 'x' }],
        ['edit_file', { find: '4711', replace: '1' }],
      ] as const) {
        expect(await outputOf(id, { path, ...more })).toMatch(/^error: .*(outside|leads nowhere)/)
      }
      expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe('The code is 4711.')
      expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('secret.txt\nwork\n')
    },
  )

  it('list a link without following it, and no folder outside', async () => {
    await symlink(folder, work('link'))
    expect(await outputOf('list_files', { depth: 5 })).toBe('ok: link')
    expect(await outputOf('list_files', { path: '..' })).toMatch(/^error: .*outside/)
  })

  it('refuse what is no text file, at once', async () => {
    execFileSync('mkfifo', [work('pipe')])
    await writeFile(work('data'), Buffer.from([1, 0, 2]))
    for (const path of ['pipe', 'data', '.', 'none']) {
      expect(await outputOf('read_file', { path })).toMatch(/^error: /)
    }
    expect(await outputOf('write_file', { path: 'pipe', content: 'x' })).toMatch(/^error: /)
  })

  it('change a text that occurs once, or everywhere if that is meant', async () => {
    await writeFile(work('a'), 'x y x')
    expect(await outputOf('edit_file', { path: 'a', find: 'x', replace: '$&' })).toMatch(/^error: .*occurs 2 times/)
    expect(await outputOf('edit_file', { path: 'a', find: 'z', replace: '' })).toMatch(/^error: .*does not occur/)
    expect(await outputOf('edit_file', { path: 'a', find: 'x', replace: '$&', all: true })).toMatch(/^ok: /)
    expect(await readFile(work('a'), 'utf8')).toBe('$& y $&')
  })

  it('ask before they write, and write nothing that is denied', async () => {
    const bench = await begin('write_file', { path: 'a', content: 'x' })
    const asked = await bench.seen('r', ({ type }) => type === 'approval')
    await bench.answer('r', asked.type === 'approval' ? asked.approvalId : '', { state: 'denied', message: 'Not now.' })
    expect(ofType(await bench.ended('r'), 'tool-output')).toMatchObject([{ status: 'denied', output: 'Not now.' }])
    expect(await outputOf('list_files', {})).toBe('ok: The folder is empty.')
  })
})

describe('the shell', () => {
  const printed = (events: readonly StreamEvent[]) =>
    ofType(events, 'tool-progress').map(({ channel, text }) => `${channel}: ${text}`)

  it('S1-23: prints while it runs, in the folder, without the keys of the server', async () => {
    const command = 'pwd; sleep 0.2; echo oh >&2; sleep 0.2; env | grep -c MILLRACE_TOKEN; exit 3'
    vi.stubEnv('MILLRACE_TOKEN', 'secret-token')
    const events = await play('shell', { command })
    expect(printed(events)).toEqual([`stdout: ${join(folder, 'work')}\n`, 'stderr: oh\n', 'stdout: 0\n'])
    const [output] = ofType(events, 'tool-output')
    expect(output).toMatchObject({ status: 'error', output: expect.stringContaining('[exit code 3]') })
  })

  it('bounds what is shown and what is returned', async () => {
    const events = await play('shell', { command: 'yes 0123456789 | head -c 3000000; echo the end' })
    const shown = printed(events).join('').length
    expect(shown).toBeLessThan(400_000)
    const [output] = ofType(events, 'tool-output')
    expect(String(output?.output).length).toBeLessThan(70_000)
    expect(output).toMatchObject({ status: 'ok', output: expect.stringMatching(/left out[\s\S]*the end\n$/) })
  })

  it('S1-32: is killed with everything that it started, also what left its group', async () => {
    const command = `trap '' TERM; (setsid sleep 600 &) ; sleep 600 & env | grep MILLRACE_MARK; wait`
    const bench = await begin('shell', { command })
    await approve(bench)
    const line = await bench.seen('r', ({ type }) => type === 'tool-progress')
    const mark = line.type === 'tool-progress' ? String(line.text).trim().split('=')[1] : ''
    expect(markedProcesses(mark ?? '').length).toBeGreaterThan(1)
    await bench.stop('r')
    expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'cancelled' })
    await expect.poll(() => markedProcesses(mark ?? ''), { timeout: 5000 }).toEqual([])
  })

  it('leaves nothing running when it ends by itself, and does not wait for it', async () => {
    const begun = Date.now()
    const events = await play('shell', {
      command: 'env | grep MILLRACE_MARK; setsid sleep 600 & sleep 600 & echo done',
    })
    const mark = /MILLRACE_MARK=(\S+)/.exec(printed(events).join())?.[1] ?? ''
    expect(Date.now() - begun).toBeLessThan(20_000)
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok' }])
    await expect.poll(() => markedProcesses(mark), { timeout: 5000 }).toEqual([])
  })

  it('is stopped after its time', async () => {
    expect(await outputOf('shell', { command: 'echo begun; sleep 600', seconds: 0.3 })).toBe(
      'error: begun\n\n[stopped after 0.3 seconds]',
    )
  })

  it('fails with a sentence where its folder is gone', async () => {
    const { call } = builtInTools.shell
    const ctx = { cwd: join(folder, 'gone'), signal: new AbortController().signal } as never
    const events = call?.({ command: 'pwd' }, ctx) as AsyncIterable<unknown>
    await expect(
      (async () => {
        for await (const _event of events);
      })(),
    ).rejects.toThrow('ENOENT')
  })
})

it('todo_write sets the list that people see', async () => {
  const events = await play('todo_write', { todos: [{ content: 'Read the tide', status: 'in_progress' }] })
  expect(ofType(events, 'todos')).toMatchObject([{ items: [{ content: 'Read the tide', status: 'in_progress' }] }])
  expect(await outputOf('todo_write', { todos: [{ content: 'x', status: 'soon' }] })).toMatch(
    /^error: .*status: must be/,
  )
})
