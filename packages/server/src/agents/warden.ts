import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Ends the processes of runs if this process dies, however it dies. */
export interface Warden {
  /** MUST be called before the process is started: the server may die while it starts. */
  watch(mark: string): void
  /** The group of a process that is watched. */
  join(mark: string, group: number): void
  release(mark: string): void
}

let program: ChildProcess | undefined

/**
 * One child per server, started with the first process. It holds a pipe: when the pipe breaks, it ends what was not
 * released.
 */
export function getWarden(): Warden {
  const send = (message: object) => program?.stdin?.write(`${JSON.stringify(message)}\n`)
  return {
    watch(mark) {
      program ??= startProgram()
      send({ mark })
    },
    join: (mark, group) => send({ mark, group }),
    release: (mark) => send({ mark, isReleased: true }),
  }
}

function startProgram(): ChildProcess {
  const path = fileURLToPath(new URL('./warden-program.ts', import.meta.url))
  // In a group of its own: a Ctrl-C in the terminal must not end it first.
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} })
  child.stdin.on('error', () => undefined)
  child.on('error', () => undefined)
  child.on('exit', () => {
    program = undefined
  })
  child.unref()
  // The pipe alone must not keep the server alive.
  ;(child.stdin as unknown as { unref?(): void }).unref?.()
  return child
}
