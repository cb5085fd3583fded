import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { killMarked, markedProcesses } from '../src/agents/marked.ts'

const CHILD = new URL('../src/agents/child.ts', import.meta.url).href

it.skipIf(process.platform !== 'linux')(
  'what a server starts in the moment of its death does not outlive it by four seconds',
  async () => {
    const mark = `MILLRACE_MARK=${randomUUID()}`
    const options = {
      argv: ['/bin/sh', '-c', 'trap "" TERM HUP; setsid sleep 600 & sleep 600'],
      cwd: '/',
      variables: { PATH: '/usr/bin:/bin', MILLRACE_MARK: mark.slice('MILLRACE_MARK='.length) },
      mark,
    }
    const code = `const { startChild } = await import(${JSON.stringify(CHILD)})
      void startChild({ ...${JSON.stringify(options)}, onStderr() {} })
      process.kill(process.pid, 'SIGKILL')`
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', code]).signal).toBe('SIGKILL')
    await sleep(4000)
    const left = markedProcesses(mark)
    killMarked(mark)
    expect(left).toEqual([])
  },
  20_000,
)
