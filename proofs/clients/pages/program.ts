import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const programs = fileURLToPath(new URL('../../../clients/programs/', import.meta.url))

interface Program {
  /** What it has printed first. */
  readonly firstLine: string
  stop(): Promise<void>
}

/** Runs a program of the clients' folder to its end and returns what it has printed first. */
export async function runProgram(file: string, token: string, ...args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { cwd: programs, env: { ...process.env, MILLRACE_TOKEN: token }, maxBuffer: 1 << 26 }
  execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
    if (error === null) resolve(stdout)
    else reject(new Error(stderr.slice(0, 1_000)))
  })
  return promise
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
