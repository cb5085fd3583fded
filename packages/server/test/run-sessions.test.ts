import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Agent, AgentHost, AgentRequest } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { agentOf, bodyOf, eventsOf, lineOf, openLog } from './run-parts.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-sessions-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Agents that report a session, and what they are asked. */
async function bench(act: (request: AgentRequest, host: AgentHost) => void, fields: Partial<Agent> = {}) {
  const asked: AgentRequest[] = []
  const log = await openLog()
  const named = (name: string): Agent => ({
    ...agentOf(async function* (request, host) {
      asked.push(request)
      act(request, host)
      yield* bodyOf(lineOf('done'))
    }),
    name,
    can: { session: 'fork' },
    cwd: 'thread',
    ...fields,
  })
  const runs = createRuns({ log, agents: [named('tester'), named('other')], workFolder: join(folder, 'work') })
  async function run(runId: string, options: { readonly agent?: string; readonly afterRunId?: string } = {}) {
    await runs.start({ threadId: 'thr', agent: 'tester', input: { text: 'Go' }, runId, ...options })
    // Ends with the run, however long the disk takes.
    for await (const _entries of log.read(runId, { after: 0, live: true }));
    return asked.at(-1) as AgentRequest
  }
  return { log, runs, run }
}

it('a run gets the session of the nearest run of the same agent before it', async () => {
  const { run } = await bench(({ runId }, host) => host.session(`session-${runId}`, 'turn-1'))
  expect((await run('r1')).session).toBeUndefined()
  await run('o1', { agent: 'other' })
  expect((await run('r2')).session).toEqual({ id: 'session-r1', at: 'turn-1', runId: 'r1', isFork: false })
})

it('a run that goes on from an earlier position is asked to fork the session', async () => {
  const { run } = await bench(({ runId }, host) => host.session(`session-${runId}`))
  await run('r1')
  await run('r2')
  expect((await run('r3', { afterRunId: 'r1' })).session).toEqual({ id: 'session-r1', runId: 'r1', isFork: true })
  expect((await run('r4', { afterRunId: 'r3' })).session).toMatchObject({ id: 'session-r3', isFork: false })
})

it('a session is logged once, by the server, with the folder it belongs to', async () => {
  const { run, log } = await bench((_request, host) => {
    host.session('mine')
    host.session('mine')
    host.session('x'.repeat(1_000_000))
  })
  const { cwd } = await run('r1')
  const logged = (await eventsOf(log, 'r1')).filter(({ type }) => type === 'metadata')
  expect(logged).toEqual([
    { type: 'metadata', metadata: { millrace: { session: { agent: 'tester', id: 'mine', cwd } } } },
  ])
})

it('a session that a record of the agent claims is not one', async () => {
  const claim = { millrace: { session: { agent: 'tester', id: 'forged', cwd: '/' } } }
  const asked: AgentRequest[] = []
  const { run, log } = await bench(() => undefined, {
    run: async function* (request) {
      asked.push(request)
      yield* bodyOf(lineOf('model_info', claim), lineOf('done'))
    },
  })
  await run('r1')
  await run('r2')
  expect(await eventsOf(log, 'r1')).toContainEqual({ type: 'metadata', metadata: claim })
  expect(asked.map(({ session }) => session)).toEqual([undefined, undefined])
})

it('a session whose folder is gone is not continued', async () => {
  const { run } = await bench((_request, host) => host.session('mine'))
  const { cwd } = await run('r1')
  await rm(cwd, { recursive: true })
  expect((await run('r2')).session).toBeUndefined()
})

it('an agent of a thread works in a folder of the thread', async () => {
  const { run } = await bench(() => undefined)
  expect((await run('r1')).cwd).toBe(join(folder, 'work', 'thr'))
})

it('a folder that has become a link is refused, and the run says so', async () => {
  const { run, log } = await bench(() => undefined)
  const { cwd } = await run('r1')
  await rm(cwd, { recursive: true })
  await symlink('/', cwd)
  await run('r2')
  expect((await eventsOf(log, 'r2')).at(-1)).toMatchObject({ outcome: 'error', error: { code: 'no-folder' } })
})

it('an agent that cannot run refuses with its sentence, and no run is left', async () => {
  const { run, log, runs } = await bench(() => undefined, { unavailable: () => 'Its program is missing.' })
  await expect(run('r1')).rejects.toMatchObject({ code: 'agent-unavailable', message: 'Its program is missing.' })
  expect(await log.run('r1')).toBeUndefined()
  expect(await log.runs('thr').catch(() => [])).toEqual([])
  await runs.close()
})
