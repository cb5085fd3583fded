import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servers } from '@millrace/testkit/repository/servers/index'
import { sharedLogs } from '@millrace/testkit/repository/servers/logs'
import { expect, onTestFinished } from 'vitest'
import { logs } from '../src/log/index.ts'
import type { Log } from '../src/log/log.ts'
import type { Agent } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs } from '../src/run/runs.ts'
import { bytesOf, createReports, eventsOf } from './run-parts.ts'

/** Two nodes over one log: whatever is asked of a run through one reaches the agent at the other. */
export interface Nodes {
  readonly log: Log
  readonly one: Runs
  readonly other: Runs
  readonly reports: readonly unknown[]
}

export async function openNodes(
  name: keyof typeof logs,
  agents: readonly Agent[],
  resumeWithin = 60_000,
): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-nodes-'))
  const member = sharedLogs[name] ?? logs[name]
  const log = await member.open({ folder })
  // Each node of a shared store has a log of its own.
  const otherLog = member.isShared ? await member.open({ folder }) : log
  const { report, reports } = createReports()
  const node = (own: Log) => createRuns({ log: own, agents, report, resumeWithin, stopWithin: 1_000 })
  const nodes = { log, one: node(log), other: node(otherLog), reports }
  onTestFinished(async () => {
    await Promise.all([nodes.one.close(), nodes.other.close()])
    await Promise.all([log.close(), otherLog.close()])
    await rm(folder, { recursive: true })
  })
  return nodes
}

export const START = { threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'r' }

/** Real time: the log's threads answer when they can. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The condition was never met.')
}

export const has = (log: Log, runId: string, type: string) => async () =>
  (await log.run(runId)) !== undefined && (await eventsOf(log, runId)).some((event) => event.type === type)

const hasEnded = (log: Log, runId: string) => async () => (await log.run(runId))?.state === 'ended'

export async function expectOneEnd(log: Log, runId: string, outcome: string): Promise<void> {
  await until(hasEnded(log, runId))
  const events = await eventsOf(log, runId)
  expect(events.filter(({ type }) => type === 'run-end')).toMatchObject([{ outcome }])
  expect((await log.commands(runId, { after: 0 })).every(({ result }) => result !== undefined)).toBe(true)
}

export const chunk = (value: object) => bytesOf(`${JSON.stringify(value)}\n`)

/** Those whose server is there. */
export const everyLog = (Object.keys(logs) as (keyof typeof logs)[]).filter((name) => !servers[name]?.absence)
