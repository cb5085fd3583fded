import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, RunInfo } from '@millrace/core/api'
import type { ChatEvent } from '@millrace/core/fold'
import { type Api, apiOf, eventually } from '../api.ts'
import type { Check } from '../play.ts'
import type { Harm } from './gate.ts'
import type { Service } from './registry.ts'
import { openStage, type ServiceStage } from './stage.ts'

/** Longer than any word that is sent; of several pieces in every protocol. */
const QUESTION = 'When is high water at the third harbour behind the second cape?'
/** A run that is bounded ends so soon, in ms: the limits are at most 6 s. */
const BOUNDED_WITHIN = 15_000

type Find = (api: Api) => Promise<readonly string[]>

/** Plays one service through a server. */
export async function playService(service: Service): Promise<readonly Check[]> {
  const stage = await openStage(service)
  let api = apiOf(stage)
  const checks: Check[] = []
  async function check(name: string, find: Find): Promise<void> {
    const problems = await find(api).catch((error: Error) => [error.message])
    checks.push({ name, problems })
    process.stderr.write(`${service.name}: ${name}: ${problems.length === 0 ? 'kept' : problems.join('\n')}\n`)
  }
  try {
    await check('the button “check” finds it', () => isFound(stage))
    await check('two turns, the second knows the first', (own) => twoTurns(own))
    if (service.asks) {
      await check('a question, approved and denied', async (own) => [
        ...(await asked(own, 'yes', { state: 'approved' }, 'It was approved.')),
        ...(await asked(own, 'no', { state: 'denied' }, 'It was denied.')),
      ])
      await check('a question that survives kill -9 of the server', (own) =>
        asked(own, 'kept', { state: 'approved' }, 'It was approved.', async () => {
          api = apiOf(await stage.killAndRestart())
          return api
        }),
      )
    }
    await check('stopped in mid-answer', (own) => isStopped(own, stage))
    await check('an error of the service', (own) => fails(own, service))
    await check(`an answer that is cut: ${service.cut}`, (own) => isCut(own, stage, service))
    await check('redirected to another origin: not followed', (own) =>
      bounded(own, stage, 'redirect', /"code":"endpoint-origin"/),
    )
    await check('a drip: bounded', (own) => bounded(own, stage, 'drip', /"code":"limit"/))
    await check('an endless answer: bounded', (own) => isEndless(own, stage))
    await check('no connection left', () => noneOpen(stage))
    return checks
  } finally {
    await stage.close()
  }
}

const textOf = (chatEvents: readonly ChatEvent[]) =>
  chatEvents.flatMap(({ segments }) => segments.flatMap((each) => (each.type === 'text' ? [each.text] : []))).join('')

/** What is not as expected, as a sentence each. */
function differences(run: RunInfo, chatEvents: readonly ChatEvent[], outcome: string, text: string): readonly string[] {
  const found = textOf(chatEvents)
  return [
    ...(run.outcome === outcome ? [] : [`it ended as ${run.outcome}: ${JSON.stringify(chatEvents).slice(-400)}`]),
    ...(found.trim() === text ? [] : [`it says ${JSON.stringify(found)}`]),
  ]
}

async function isFound({ url, token }: ServiceStage): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/agents/service/check`, { method: 'POST', headers, body: '{}' })
  const { isReady, message } = (await response.json()) as { readonly isReady?: boolean; readonly message?: string }
  return isReady === true ? [] : [`it answered ${response.status}: ${message}`]
}

async function twoTurns(api: Api): Promise<readonly string[]> {
  const problems: string[] = []
  for (const turn of [1, 2]) {
    const { runId } = await api.start('turns', 'service', QUESTION)
    const { run, chatEvents } = await api.ended('turns', runId)
    problems.push(...differences(run, chatEvents, 'success', `Turn ${turn}: ${QUESTION}`))
  }
  return problems
}

async function asked(
  api: Api,
  threadId: string,
  answer: Answer,
  text: string,
  meanwhile?: () => Promise<Api>,
): Promise<readonly string[]> {
  const { runId } = await api.start(threadId, 'service', 'ask')
  const approvalId = await eventually('a question', async () => {
    const { chatEvents } = await api.thread(threadId)
    return /"approvalId":"([^"]+)","state":"requested"|"state":"requested","approvalId":"([^"]+)"/
      .exec(JSON.stringify(chatEvents))
      ?.slice(1)
      .find((id) => id !== undefined)
  })
  const own = (await meanwhile?.()) ?? api
  await own.answer(runId, approvalId, answer)
  const { run, chatEvents } = await own.ended(threadId, runId)
  const said = chatEvents.filter(({ segments }) => segments.some(({ type }) => type === 'text'))
  return differences(run, said.slice(-1), 'success', text)
}

async function isStopped(api: Api, { gate }: ServiceStage): Promise<readonly string[]> {
  const { runId } = await api.start('stops', 'service', 'wait')
  await eventually('the first words', async () => {
    const { chatEvents } = await api.thread('stops')
    return JSON.stringify(chatEvents).includes('Waiting.') ? true : undefined
  })
  const before = performance.now()
  await api.stop(runId)
  const { run } = await api.ended('stops', runId)
  const took = performance.now() - before
  return [
    ...(run.outcome === 'cancelled' ? [] : [`it ended as ${run.outcome}`]),
    ...(took < 4000 ? [] : [`it took ${Math.round(took)} ms`]),
    ...(await noneOpen({ gate })),
  ]
}

async function fails(api: Api, { error }: Service): Promise<readonly string[]> {
  const { runId } = await api.start('fails', 'service', 'fail')
  const { run, chatEvents } = await api.ended('fails', runId)
  return [
    ...(run.outcome === 'error' ? [] : [`it ended as ${run.outcome}`]),
    ...(JSON.stringify([run, chatEvents]).includes(error) ? [] : [`it says ${JSON.stringify(chatEvents).slice(-400)}`]),
  ]
}

async function isCut(api: Api, { gate }: ServiceStage, { cut }: Service): Promise<readonly string[]> {
  gate.set('cut')
  const { runId } = await api.start('cuts', 'service', QUESTION)
  const { run, chatEvents } = await api.ended('cuts', runId)
  if (cut === 'goes on') return differences(run, chatEvents, 'success', `Turn 1: ${QUESTION}`)
  const isBroken = JSON.stringify([run, chatEvents]).includes('broken-off')
  return run.outcome === 'error' && isBroken ? [] : [`it ended as ${run.outcome}`]
}

/** The run ends with a sentence, soon, and nothing but the service was called. */
async function bounded(api: Api, stage: ServiceStage, harm: Harm, says: RegExp): Promise<readonly string[]> {
  stage.gate.set(harm)
  const before = performance.now()
  const { runId } = await api.start(harm, 'limited', QUESTION)
  const { run, chatEvents } = await api.ended(harm, runId)
  const took = performance.now() - before
  stage.gate.set('none')
  const seen = JSON.stringify([run, chatEvents])
  return [
    ...(run.outcome === 'error' && says.test(seen) ? [] : [`it ended as ${run.outcome}: ${seen.slice(-400)}`]),
    ...(took < BOUNDED_WITHIN ? [] : [`it took ${Math.round(took)} ms`]),
    ...(stage.elsewhere() === 0 ? [] : ['another address was called']),
  ]
}

/** Whoever has said all is not waited for; otherwise a limit ends it. */
async function isEndless(api: Api, stage: ServiceStage): Promise<readonly string[]> {
  stage.gate.set('endless')
  const before = performance.now()
  const { runId } = await api.start('endless', 'limited', QUESTION)
  const { run, chatEvents } = await api.ended('endless', runId)
  stage.gate.set('none')
  const took = performance.now() - before
  return [
    ...(took < BOUNDED_WITHIN ? [] : [`it took ${Math.round(took)} ms`]),
    ...(textOf(chatEvents).includes(QUESTION) ? [] : ['what came is gone']),
    ...(run.outcome === 'success' || JSON.stringify([run, chatEvents]).includes('"code":"limit"')
      ? []
      : [`it ended as ${run.outcome}`]),
  ]
}

async function noneOpen({ gate }: Pick<ServiceStage, 'gate'>): Promise<readonly string[]> {
  for (let tries = 0; tries < 100 && gate.open() > 0; tries++) await sleep(30)
  return gate.open() === 0 ? [] : [`${gate.open()} connections are open`]
}
