import { isDeepStrictEqual } from 'node:util'
import type { ChatEvent } from '@millrace/core/fold'
import { type Api, apiOf, eventually } from '../api.ts'
import { leftProcesses } from '../left.ts'
import type { Check } from '../play.ts'
import type { Framework } from './registry.ts'
import { says } from './script.ts'
import { AGENT, type FrameworkStage, openStage } from './stage.ts'

/** The file of an agent is to be short. */
const MOST_LINES = 20
const THREAD = 'turns'

/** Plays one framework through a server, and compares it with its own stream. */
export async function playFramework(framework: Framework): Promise<readonly Check[]> {
  const stage = await openStage(framework)
  const checks: Check[] = []
  const api = apiOf(stage)
  async function check(name: string, act: () => Promise<readonly string[]>): Promise<void> {
    const problems = await act().catch((error: Error) => [error.message])
    checks.push({ name, problems })
    process.stderr.write(`${framework.page}: ${name}: ${problems.length === 0 ? 'kept' : problems.join('\n')}\n`)
  }
  try {
    await check('under 20 lines, listed', () => isListed(stage))
    await check('parallel calls, one fails: equal to the stream alone', () =>
      isEqual(stage, api, THREAD, says.calls, 'success'),
    )
    await check('a second turn knows the first, after a restart', async () =>
      knowsFirst(apiOf(await stage.restart()), framework),
    )
    const again = apiOf(await stage.restart())
    await check('an error of the provider: equal to the stream alone', () =>
      isEqual(stage, again, 'errors', says.fails, 'error'),
    )
    await check('stopped in mid-answer', () => isStopped(again))
    await check('nothing left running', async () => {
      await stage.close()
      return (await leftProcesses(`HOME=${stage.folder}/home`)).map((program) => `left: ${program}`)
    })
    return checks
  } finally {
    await stage.close()
  }
}

async function isListed({ url, token, lines }: FrameworkStage): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/agents`, { headers: { authorization: `Bearer ${token}` } })
  const { agents } = (await response.json()) as { agents: { name: string; unavailable?: string }[] }
  const [first] = agents
  return [
    ...(lines < MOST_LINES ? [] : [`it has ${lines} lines`]),
    ...(first?.name === AGENT && first.unavailable === undefined ? [] : [`listed as ${JSON.stringify(first)}`]),
  ]
}

async function isEqual(
  stage: FrameworkStage,
  api: Api,
  threadId: string,
  text: string,
  outcome: string,
): Promise<readonly string[]> {
  const { runId } = await api.start(threadId, AGENT, text)
  const { run, chatEvents } = await api.ended(threadId, runId)
  const direct = (await stage.direct(text)).filter(({ role }) => role === 'assistant')
  const [served, alone] = [masked(chatEvents), masked(direct)]
  return [
    ...(run.outcome === outcome ? [] : [`it ended as ${run.outcome}`]),
    ...(isDeepStrictEqual(served, alone)
      ? []
      : [`by the server ${JSON.stringify(served)}`, `alone ${JSON.stringify(alone)}`]),
  ]
}

/** What differs between two runs of the same: ids, times and positions in the log. */
const OF_ONE_RUN = new Set(['id', 'runId', 'callId', 'startedAt', 'endedAt', 'seqs', 'durationMs', 'agentId'])

/** Ids in what providers want back, and in the usage of a run. */
const isOfOneRun = (name: string) => OF_ONE_RUN.has(name) || /(?:Id|_id|uuid)$/.test(name)

const masked = (chatEvents: readonly ChatEvent[]): unknown =>
  JSON.parse(JSON.stringify(chatEvents, (name, value: unknown) => (isOfOneRun(name) ? undefined : value)))

async function knowsFirst(api: Api, { history }: Framework): Promise<readonly string[]> {
  const { runId } = await api.start(THREAD, AGENT, says.again)
  const { run, chatEvents } = await api.ended(THREAD, runId)
  const text = chatEvents.flatMap(({ segments }) =>
    segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])),
  )
  const expected = `Question yes, answer yes, tide ${history === 'calls' ? 'yes' : 'no'}.`
  return [
    ...(run.outcome === 'success' ? [] : [`it ended as ${run.outcome}`]),
    ...(text.join('') === expected ? [] : [`it says ${text.join('')}`]),
  ]
}

async function isStopped(api: Api): Promise<readonly string[]> {
  const { runId } = await api.start('stops', AGENT, says.waits)
  await eventually('the first words', async () => {
    const { chatEvents } = await api.thread('stops')
    return JSON.stringify(chatEvents).includes('On and on.') ? true : undefined
  })
  await api.stop(runId)
  const { run, chatEvents } = await api.ended('stops', runId)
  return [
    ...(run.outcome === 'cancelled' ? [] : [`it ended as ${run.outcome}`]),
    ...(JSON.stringify(chatEvents).includes('On and on.') ? [] : ['what came is gone']),
  ]
}
