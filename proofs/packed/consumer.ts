import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** The most a program may take: an install on a slow machine. */
const TIMEOUT_MS = 600_000

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A project of a user of the packages, in a folder of its own outside the repository. */
export interface Consumer {
  readonly folder: string
  write(files: { readonly [path: string]: string }): void
  /** Runs a program of the project, or of the machine. Rejects if it fails, with what it printed. */
  run(program: string, ...args: readonly string[]): Promise<Ran>
  /** The same, for a program that may fail. */
  attempt(program: string, ...args: readonly string[]): Promise<Ran>
  /** Starts a program that goes on; resolves with the first line of its stdout. */
  start(program: string, ...args: readonly string[]): Promise<{ readonly firstLine: string; stop(): Promise<void> }>
  remove(): void
}

export function createConsumer(name: string, environment: { readonly [name: string]: string } = {}): Consumer {
  const folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
  const env = environmentOf(folder, environment)

  function write(files: { readonly [path: string]: string }): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }

  const attempt = (program: string, ...args: readonly string[]) =>
    new Promise<Ran>((resolve) => {
      const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
      execFile(program, args, options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code) || 1, stdout, stderr })
      })
    })

  write({ 'package.json': JSON.stringify({ name, private: true, type: 'module' }) })
  return {
    folder,
    write,
    attempt,
    async run(program, ...args) {
      const ran = await attempt(program, ...args)
      if (ran.code !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stdout}\n${ran.stderr}`.slice(0, 4000))
      return ran
    },
    start: (program, ...args) => startProgram(program, args, { cwd: folder, env }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What npm and the test runner set for the repository. Settings of the machine's network stay. */
const OF_THE_REPOSITORY =
  /^(?:npm_(?!config_(?:registry|cafile|https?_proxy|noproxy)$)|VITEST|NODE_(?!EXTRA_)|MILLRACE_|INIT_CWD)/

function environmentOf(folder: string, more: { readonly [name: string]: string }): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !OF_THE_REPOSITORY.test(name))
  const path = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(own), PATH: path, NO_COLOR: '1', ...more }
}

async function startProgram(program: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let printed = ''
  let complained = ''
  child.stderr?.on('data', (bytes) => {
    complained += bytes
  })
  const firstLine = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${complained}`)))
    child.stdout?.on('data', (bytes) => {
      printed += bytes
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')))
    })
  })
  return {
    firstLine,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
