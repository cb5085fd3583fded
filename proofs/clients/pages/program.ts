import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const programs = fileURLToPath(new URL('../../../clients/programs/', import.meta.url))

interface Program {
  /** What it has printed first. */
  readonly firstLine: string
  stop(): Promise<void>
}

/** Starts a program of the clients' folder, without what it would send to its makers. */
export async function startProgram(file: string, ...args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: programs,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, COPILOTKIT_TELEMETRY_DISABLED: 'true', DO_NOT_TRACK: '1' },
  })
  const exited = once(child, 'exit')
  const [firstLine] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`))),
  ])
  return {
    firstLine,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
