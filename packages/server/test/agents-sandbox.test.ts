import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stopRun } from '../src/run/ask.ts'
import { createProcessBench, scriptAgent, workFolder } from './process-bench.ts'
import { until } from './run-parts.ts'

/** Why bubblewrap cannot be tried here; undefined if it can. */
const absence = (() => {
  const probe = spawnSync('bwrap', ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', 'true'])
  if (probe.error !== undefined) return 'there is no bwrap: install bubblewrap'
  return probe.status === 0 ? undefined : `bwrap cannot make namespaces here: ${probe.stderr}`
})()
if (absence !== undefined) console.warn(`The sandbox is not tried: ${absence}`)

const listener = createServer((socket) => socket.end('reached'))
const port = new Promise<number>((resolve) =>
  listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)),
)
afterAll(() => listener.close())

/** What is left behind differs from that of other tests. */
const SLEEP = `sleep 6173.${process.pid}`

/** A shell that speaks `lines`: what `script` prints, its quotes removed, is one text. */
const shell = (script: string) => [
  '/bin/bash',
  '-c',
  `read -r input; out=$( { ${script} ; } 2>&1 | tr -d '"\\\\' | tr '\\n' ';'); echo "{\\"type\\":\\"text\\",\\"data\\":{\\"content\\":\\"$out\\"}}"; echo '{"type":"done","data":{}}'`,
]

describe('an agent with a sandbox', () => {
  it('is not available where the sandbox is missing, and is never run without', () => {
    const path = process.env.PATH
    process.env.PATH = '/nowhere'
    const sentence = scriptAgent('', { command: ['/bin/sh'], sandbox: 'bwrap' }).unavailable?.()
    process.env.PATH = path
    expect(sentence).toMatch(/^Its sandbox is missing\. There is no program "bwrap"/)
  })
})

describe.skipIf(absence !== undefined)('a program in bubblewrap', () => {
  async function printed(script: string, fields: Parameters<typeof scriptAgent>[1] = {}) {
    const bench = await createProcessBench(scriptAgent('', { command: shell(script), sandbox: 'bwrap', ...fields }))
    await bench.start('r')
    const events = await bench.ended('r')
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
    expect(bench.leftOver()).toBe(0)
    const texts = events.flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
    // The first is the person's.
    const text = texts.slice(1).join('')
    return { ...bench, text }
  }

  it('writes in the folder of its thread, and nowhere else', async () => {
    const target = `/var/tmp/millrace-outside-${process.pid}`
    const { text } = await printed(
      `echo in > mine && cat mine; echo out > ${target}; echo hidden > /tmp/x && cat /tmp/x`,
    )
    expect(text).toMatch(/^in;.*Read-only file system;hidden;$/)
    expect(existsSync(target)).toBe(false)
    expect(existsSync(join(workFolder(), 'thr', 'mine'))).toBe(true)
    expect(existsSync('/tmp/x')).toBe(false)
  })

  it('sees no process but its own, and nothing of the server’s data but its folder', async () => {
    await mkdir(join(workFolder(), 'other'), { recursive: true })
    await writeFile(join(workFolder(), '..', 'token'), 'secret-token')
    const { text } = await printed(`ls /proc | grep -c '^[0-9]'; ls "$PWD/.."; cat "$PWD/../../token"; ls /run`)
    const [processes, folders] = text.split(';')
    expect(Number(processes)).toBeLessThan(10)
    expect(folders).toBe('thr')
    expect(text).not.toContain('secret-token')
  })

  it('does not see the server’s data in its own folder, if that is where they are', async () => {
    const folder = join(workFolder(), '..')
    await writeFile(join(folder, 'token'), 'secret-token')
    const { text } = await printed('ls; cat token', { cwd: folder })
    expect(text).toMatch(/^work;.*No such file/)
  })

  it.each([
    ['bwrap', false],
    ['bwrap+net', true],
  ] as const)('with %s reaches a network: %s', async (sandbox, isReached) => {
    const { text } = await printed(`exec 3<>/dev/tcp/127.0.0.1/${await port} && cat <&3`, { sandbox })
    expect(text.includes('reached')).toBe(isReached)
  })

  it('leaves nothing when it is stopped, not what left its session and forgot its variables', async () => {
    const script = `env -i setsid ${SLEEP} & env -i setsid ${SLEEP} & echo '{"type":"text","data":{"content":"up"}}'; sleep 60`
    const command = ['/bin/bash', '-c', `read -r input; trap '' TERM; ${script}`]
    const bench = await createProcessBench(scriptAgent('', { command, sandbox: 'bwrap' }))
    await bench.start('r')
    await bench.seen('r', (event) => event.type === 'block-delta' && event.text === 'up')
    await until(async () => sleepers() === 2)
    await stopRun(bench.runs, 'r')
    expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'cancelled' })
    expect([bench.leftOver(), sleepers()]).toEqual([0, 0])
  })
})

/** How many run of what the test leaves behind. */
const sleepers = () => spawnSync('pgrep', ['-fx', SLEEP]).stdout.toString().split('\n').filter(Boolean).length
