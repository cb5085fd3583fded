import { HttpAgent, type Interrupt, type Message } from '@ag-ui/client'
import { agUi } from '@millrace/core/wire/ag-ui'
import { type Content, comparable } from '@millrace/testkit/content'
import { HttpAgent as HttpAgent57 } from 'ag-ui-0.0.57'
import { HttpAgent as HttpAgent58 } from 'ag-ui-0.0.58'
import { HttpAgent as HttpAgent59 } from 'ag-ui-0.0.59'
import { agUiContentOf } from '../wires/readers/ag-ui.ts'
import { expectedInProfile0, inProfile0 } from './profile-0.ts'
import type { Recorded } from './recorded.ts'
import type { Stage } from './stage.ts'
import { differenceOf, messageOf, refusalsOf, type Trial, unlike } from './trial.ts'

const AGENT = 'HttpAgent'
const REPLAYED = 'HttpAgent that comes back'

/** The id of the message that the client sends. */
const MESSAGE_ID = 'asked'

/** A version of the client. */
interface Version {
  readonly Agent: typeof HttpAgent
  /** Whether it gets the profile for clients before 1.0, by itself. */
  readonly isOld: boolean
  /** The columns of a client, and of one that comes back. */
  readonly columns: readonly [string, string]
}

function older(version: string, Agent: unknown): Version {
  const column = `@ag-ui/client ${version}`
  return { Agent: Agent as typeof HttpAgent, isOld: true, columns: [column, column] }
}

export const AG_UI_VERSIONS: readonly Version[] = [
  { Agent: HttpAgent, isOld: false, columns: [AGENT, REPLAYED] },
  older('0.0.59', HttpAgent59),
  older('0.0.58', HttpAgent58),
  older('0.0.57', HttpAgent57),
]

interface Client {
  readonly version: Version
  readonly agent: HttpAgent
  /** The questions that its last run has ended with. */
  questions(): readonly Interrupt[]
  readonly calls: string[]
  readonly errors: string[]
  /** Runs the agent. What it throws is added to `errors`. */
  run(input: NonNullable<Parameters<HttpAgent['runAgent']>[0]>): Promise<void>
}

/** What AG-UI's own client, which checks every event and their order, makes of a run that a server plays to it. */
export async function agUiTrials(stage: Stage, recorded: Recorded, version: Version): Promise<readonly Trial[]> {
  const [column, replayedColumn] = version.columns
  const threadId = `ag-ui-${column.replaceAll(/\W/g, '-')}-${stage.agentOf(recorded)}`
  const runId = `run-of-${threadId}`
  const hold = stage.hold(threadId)
  const play = () => {
    hold.begin()
    hold.goOn()
  }
  const first = clientOf(stage, recorded, threadId, version, play)
  await first.run({ runId })
  play()
  await answerAll(first, recorded)
  const again = clientOf(stage, recorded, threadId, version, () => {})
  await again.run({ runId })
  const replayed = (more: readonly string[]) => trialOf(replayedColumn, again, recorded, more)
  const firstTrial = trialOf(column, first, recorded, [])
  if (recorded.goesOnUnanswered) return [{ ...firstTrial, differences: [] }, replayed([])]
  return [firstTrial, replayed(unlike(again.agent.messages, first.agent.messages, 'the first'))]
}

function clientOf(
  stage: Stage,
  recorded: Recorded,
  threadId: string,
  version: Version,
  onResponse: () => void,
): Client {
  const userMessage: Message = { id: MESSAGE_ID, role: 'user', content: recorded.name }
  const calls: string[] = []
  const errors: string[] = []
  let questions: readonly Interrupt[] = []
  const agent = new version.Agent({
    url: `${stage.url}/api/ag-ui/${stage.agentOf(recorded)}`,
    headers: stage.headers,
    threadId,
    initialMessages: [userMessage],
    async fetch(url, init) {
      const response = await fetch(url, init)
      onResponse()
      return response
    },
  })
  return {
    version,
    agent,
    questions: () => questions,
    calls,
    errors,
    async run(input) {
      try {
        await agent.runAgent(input, {
          onToolCallStartEvent: ({ event }) => void calls.push(event.toolCallId),
          onRunFinishedEvent({ event }) {
            questions = event.outcome?.type === 'interrupt' ? event.outcome.interrupts : []
          },
          onRunErrorEvent: ({ event }) => void errors.push(event.message),
        })
      } catch (error) {
        errors.push(messageOf(error))
      }
    },
  }
}

/** Answers every question as the recording does, once. A run that has failed waits for none. */
async function answerAll({ questions, run, errors }: Client, { answers }: Recorded): Promise<void> {
  const answered = new Set<string>()
  for (let round = 0; round <= answers.size; round++) {
    const ids = questions().map(({ id }) => id)
    if (errors.length > 0 || !ids.some((id) => answers.has(id) && !answered.has(id))) return
    const resume = ids.map((interruptId) => {
      const payload = { approved: answers.get(interruptId) === true }
      return { interruptId, status: 'resolved' as const, payload }
    })
    for (const id of ids) answered.add(id)
    await run({ resume })
  }
}

function trialOf(
  client: string,
  { agent, calls, errors, version }: Client,
  recorded: Recorded,
  more: readonly string[],
): Trial {
  const messages = agent.messages.filter(({ id }) => id !== MESSAGE_ID)
  return {
    client,
    refusals: refusalsOf(
      errors.filter((error) => !isTooLate(error, recorded)),
      runErrorOf(recorded),
    ),
    differences: [...differencesOf(agUiContentOf(messages, calls), recorded, version), ...more],
  }
}

function differencesOf(actual: Content, recorded: Recorded, { isOld }: Version): readonly string[] {
  if (!isOld) return differenceOf(actual, recorded, agUi.losses)
  const expected = expectedInProfile0(recorded)
  return unlike(inProfile0(comparable(actual, expected)), expected, 'the recording')
}

/** A recording that goes on after its questions does not wait: an answer after its end is rightly refused. */
function isTooLate(error: string, { answers }: Recorded): boolean {
  return answers.size > 0 && error.startsWith('HTTP 409: {"error":{"code":"not-asked"')
}

/** The error that this client reports for a failed or an interrupted run; undefined for any other outcome. */
function runErrorOf({ end }: Recorded): string | undefined {
  const defaults = { error: 'The run failed.', interrupted: 'The run was interrupted.' }
  if (end.outcome !== 'error' && end.outcome !== 'interrupted') return undefined
  return end.error?.message ?? end.reason ?? defaults[end.outcome]
}
