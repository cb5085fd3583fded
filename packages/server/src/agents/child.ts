import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { AgentFailure } from '@millrace/core/agent'
import { killGroup, killMarked } from './marked.ts'
import { getWarden } from './warden.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process in a session and a group of its own. */
export interface Child {
  readonly group: number
  readonly input: Writable
  readonly output: Readable
  /** Resolves when it has ended, and with it everything that it started. */
  readonly exited: Promise<Exit>
  /** SIGTERM to the group after a time, SIGKILL after one more, unless it ends before. */
  end(termAfter: number, killAfter: number): void
}

export interface ChildOptions {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly variables: { readonly [name: string]: string }
  /** The variable that marks its descendants. */
  readonly mark: string
  onStderr(text: string): void
}

/** How long the output may stay open when the process is gone, in ms: somebody else may hold it. */
const DRAIN = 2000

/** Throws an `AgentFailure` if the program cannot be started. */
export async function startChild({ argv, cwd, variables, mark, onStderr }: ChildOptions): Promise<Child> {
  const [file = '', ...args] = argv
  const warden = getWarden()
  warden.watch(mark)
  const child = spawn(file, args, { cwd, env: variables, detached: true, stdio: 'pipe', shell: false })
  // A program that has closed its input is not an error of ours.
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', onStderr)
  const timers = new Set<NodeJS.Timeout>()
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const timer of timers) clearTimeout(timer)
      killAll(child.pid, mark)
      setTimeout(() => child.stdout.destroy(), DRAIN).unref()
      resolve({ code, signal })
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) => {
      warden.release(mark)
      reject(new AgentFailure('agent-missing', `${file} cannot be started: ${cause.message}.`, { cause }))
    })
  })
  const group = child.pid ?? 0
  child.on('error', () => undefined)
  if (child.exitCode === null && child.signalCode === null) warden.join(mark, group)

  function later(milliseconds: number, act: () => void): void {
    timers.add(setTimeout(act, milliseconds).unref())
  }

  return {
    group,
    input: child.stdin,
    output: child.stdout,
    exited,
    end(termAfter, killAfter) {
      if (child.exitCode !== null || child.signalCode !== null) return
      later(termAfter, () => killGroup(group, 'SIGTERM'))
      later(termAfter + killAfter, () => {
        killGroup(group, 'SIGKILL')
        killMarked(mark)
      })
    },
  }
}

function killAll(group: number | undefined, mark: string): void {
  if (group === undefined) return
  killGroup(group, 'SIGKILL')
  killMarked(mark)
  getWarden().release(mark)
}
