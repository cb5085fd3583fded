import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ChatEvent } from '@millrace/core/fold'
import { type Api, apiOf, callNameOf, eventually, pictureOf, toolsIn } from './api.ts'
import { appPage } from './app-page.ts'
import { agUi, aiSdk, type Client, http } from './clients.ts'
import type { Cli } from './clis.ts'
import { changesOf, connectionIn, record } from './connection.ts'
import { versionOf } from './install.ts'
import { filesOutside, leftProcesses } from './left.ts'
import { callOf, expected, kindOf, LATE, type Picture, prompts } from './scenario.ts'
import { isRoot, openWorkplace, type Workplace } from './workplace.ts'

/** What was tried, and what was wrong with it. */
export interface Check {
  readonly name: string
  readonly problems: readonly string[]
}

/** The longest time from a stop to the end of its run, in ms. */
const STOP_WITHIN = 4000

/** Plays the whole scenario with one program. Never throws for a fault of the program or the product. */
export async function play(cli: Cli, group: number, isRecording: boolean): Promise<readonly Check[]> {
  const workplace = await openWorkplace(cli, group)
  const checks: Check[] = []
  const check = async (name: string, find: () => Promise<readonly string[]>) => {
    const problems = await attempt(find)
    console.error(`${cli.name}: ${name}: ${problems.length === 0 ? 'kept' : problems.join('\n  ')}`)
    checks.push({ name, problems })
  }
  try {
    await playServer(cli, workplace, check)
    await check('nothing left running', () => leftProcesses(`HOME=${join(workplace.folder, 'home')}`))
    if (isRoot) {
      await check('nothing written elsewhere', async () => writtenElsewhere(cli, workplace, group))
    }
    const connection = connectionIn(workplace.traces)
    if (isRecording) record(cli.name, versionOf(cli.packageName), connection)
    await check('the connection as recorded', async () => changesOf(cli.name, connection))
  } finally {
    await workplace.close()
  }
  return checks
}

/** What is left outside of the folder of this trial, less the empty folders that the program is allowed. */
function writtenElsewhere({ leaves }: Cli, { folder }: Workplace, group: number): readonly string[] {
  const isAllowed = (path: string) => leaves?.folders.includes(path) === true && readdirSync(path).length === 0
  const found = filesOutside(group, [folder])
  for (const path of found.filter(isAllowed)) rmdirSync(path)
  return found.filter((path) => existsSync(path))
}

type Checking = (name: string, find: () => Promise<readonly string[]>) => Promise<void>

async function playServer(cli: Cli, workplace: Workplace, check: Checking): Promise<void> {
  let address = await workplace.start()
  const turn = (name: string, threadId: string, client: Client, text: string, picture: Picture) =>
    check(name, async () => {
      const api = apiOf(address)
      await client({ address, api, agent: cli.name, threadId }, text)
      return faultsOf(cli, workplace, api, threadId, picture)
    })

  const log = expected.log(cli)
  await turn('parallel calls, one fails', 'main', http, prompts.gauges, expected.gauges(cli))
  await turn('second turn, one call denied', 'main', http, prompts.logAgain, log)
  await turn("answered by the AI SDK's chat", 'ai-sdk', aiSdk, prompts.log, log)
  await turn('answered by the client of AG-UI', 'ag-ui', agUi, prompts.log, log)
  await turn('answered in the app', 'app', appPage, prompts.log, log)
  await check('stopped in the middle of a call', () => stopped(cli, workplace, apiOf(address)))
  await workplace.stop()
  address = await workplace.start()
  await turn('third turn, after a restart', 'main', http, prompts.calm, expected.calm)
  await workplace.stop()
}

const attempt = (find: () => Promise<readonly string[]>): Promise<readonly string[]> =>
  find().catch((error: unknown) => [error instanceof Error ? error.message : String(error)])

/** What is wrong with the last run of a thread. */
async function faultsOf(
  cli: Cli,
  workplace: Workplace,
  api: Api,
  threadId: string,
  picture: Picture,
): Promise<readonly string[]> {
  const { runs } = await api.thread(threadId)
  const runId = runs.at(-1)?.id ?? ''
  const { run, chatEvents } = await api.ended(threadId, runId)
  return [
    ...differences(picture, pictureOf(run, chatEvents)),
    ...callFaults(cli, workplace, chatEvents),
    ...newConversation(chatEvents),
    ...(await leftProcesses(`MILLRACE_RUN=${runId}`)).map((process) => `left running: ${process}`),
  ]
}

function differences(wanted: Picture, found: Picture): readonly string[] {
  return isDeepStrictEqual(wanted, found) ? [] : [`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`]
}

/** Names and inputs, which are the program's own. */
function callFaults(cli: Cli, { project }: Workplace, chatEvents: readonly ChatEvent[]): readonly string[] {
  return toolsIn(chatEvents).flatMap((tool) => {
    const callName = callNameOf(tool)
    const name = cli.shown[kindOf(callName)]
    const input = cli.inputOf?.(callOf(callName, cli, project).input, project) ?? {}
    return [
      ...(tool.name === name ? [] : [`${callName} is called "${tool.name}" instead of "${name}"`]),
      ...(isDeepStrictEqual(tool.input, input)
        ? []
        : [`${callName} has the input ${JSON.stringify(tool.input)} instead of ${JSON.stringify(input)}`]),
    ]
  })
}

/** A session that cannot be continued is a warning of the run. */
const NEW_CONVERSATION = /begins a new conversation/

const newConversation = (chatEvents: readonly ChatEvent[]): readonly string[] =>
  chatEvents.flatMap(({ segments }) =>
    segments.flatMap((segment) =>
      segment.type === 'status'
        ? segment.lines.flatMap(({ message }) => (NEW_CONVERSATION.test(message) ? [message] : []))
        : [],
    ),
  )

async function stopped(cli: Cli, workplace: Workplace, api: Api): Promise<readonly string[]> {
  const { runId } = await api.start('stop', cli.name, prompts.wait)
  const question = await eventually('the question', async () => (await api.open('stop'))[0])
  await api.answer(runId, question.approvalId, { state: 'approved' })
  const late = join(workplace.project, LATE)
  await eventually('the call', async () => (existsSync(late) ? true : undefined))
  const began = Date.now()
  await api.stop(runId)
  const { chatEvents } = await api.ended('stop', runId)
  const took = Date.now() - began
  const states = cli.stopped?.states ?? ['cancelled']
  const faults = await faultsOf(cli, workplace, api, 'stop', expected.stopped(stateOf(chatEvents, states)))
  return [...faults, ...(took > STOP_WITHIN ? [`it ended ${took} ms after the stop`] : [])]
}

/** The state of the only call, if it is one of those that are right. */
function stateOf(chatEvents: readonly ChatEvent[], states: readonly string[]): string {
  const state = toolsIn(chatEvents)[0]?.state ?? ''
  return states.includes(state) ? state : (states[0] ?? '')
}
