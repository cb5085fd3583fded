import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamEvent } from '@millrace/core/events'
import { afterEach, beforeEach } from 'vitest'
import { defaultLimits } from '../src/agents/limits.ts'
import { markedProcesses } from '../src/agents/marked.ts'
import { createProcessAgent } from '../src/agents/process-agent.ts'
import type { ProcessSpec } from '../src/agents/spec.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import type { Agent } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs } from '../src/run/runs.ts'
import { eventsOf } from './run-parts.ts'

let folder: string
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-process-')))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await rm(folder, { recursive: true, force: true })
})

/** Where the threads of this test have their folders. */
export const workFolder = (): string => join(folder, 'work')

export type SpecFields = Omit<Partial<ProcessSpec>, 'limits'> & { readonly limits?: Partial<ProcessSpec['limits']> }

/** An agent whose program is this JavaScript. */
export function scriptAgent(code: string, { limits, ...fields }: SpecFields = {}): Agent {
  const spec: ProcessSpec = {
    name: 'tester',
    title: 'Tester',
    command: [process.execPath, '-e', code],
    dialect: 'lines',
    sandbox: 'none',
    permissions: 'ask',
    env: [],
    set: {},
    cwd: 'thread',
    limits: { ...defaultLimits, ...limits },
    ...fields,
  }
  return createProcessAgent(spec, { threads: workFolder(), folder, data: folder })
}

export interface ProcessBench {
  readonly log: Log
  readonly runs: Runs
  readonly folder: string
  /** How many processes of the thread are left. */
  leftOver(): number
  start(runId: string, text?: string): Promise<void>
  /** Resolves with the run's events when it has ended. */
  ended(runId: string): Promise<readonly StreamEvent[]>
  /** Resolves with the events when one of them fits. */
  seen(runId: string, fits: (event: StreamEvent) => boolean): Promise<StreamEvent>
}

export async function createProcessBench(agent: Agent): Promise<ProcessBench> {
  const log = await memory.open({ folder: '' })
  const runs = createRuns({ log, agents: [agent], workFolder: join(folder, 'work'), report: () => undefined })
  closing.push(() => runs.close())
  return {
    log,
    runs,
    folder,
    leftOver: () => markedProcesses(`MILLRACE_WORK=${join(folder, 'work', 'thr')}`).length,
    async start(runId, text = 'Go') {
      await runs.start({ threadId: 'thr', agent: agent.name, input: { text }, runId })
    },
    async ended(runId) {
      for await (const _entries of log.read(runId, { after: 0, live: true }));
      return eventsOf(log, runId)
    },
    async seen(runId, fits) {
      for await (const entries of log.read(runId, { after: 0, live: true })) {
        const found = entries.find(({ event }) => fits(event))
        if (found !== undefined) return found.event
      }
      throw new Error('The run has ended without it.')
    },
  }
}

/** The helpers of the scripts. */
export const PRELUDE = `
const say = (type, data = {}) => process.stdout.write(JSON.stringify({ type, data }) + '\\n')
const rl = require('readline').createInterface({ input: process.stdin })
const waiting = [], arrived = []
rl.on('line', (line) => { const value = JSON.parse(line); const next = waiting.shift(); next ? next(value) : arrived.push(value) })
const hear = () => arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve))
`
