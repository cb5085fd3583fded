import { setImmediate, setTimeout } from 'node:timers/promises'
import { aiSdk } from '@millrace/core/wire/ai-sdk'
import * as newest from 'ai'
import { type AbstractChat, isToolUIPart, type UIMessage } from 'ai'
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import { aiSdkContent } from '../wires/facts/ai-sdk.ts'
import { createChat, readAiSdkBody } from '../wires/readers/ai-sdk.ts'
import type { Recorded } from './recorded.ts'
import type { Hold, Stage } from './stage.ts'
import { differenceOf, messageOf, refusalsOf, type Trial, unlike } from './trial.ts'

const CHAT = 'chat'
const RESUMED = 'chat that comes back'
const READER = 'readUIMessageStream'

/** A chat that sends requests in a loop is stopped after this many. */
const MOST_REQUESTS = 30

type Chat = AbstractChat<UIMessage>

/** A version of the SDK, with the profile that it is sent. */
interface Version {
  readonly ai: typeof newest
  readonly profile?: string
  /** Whether it tells calls that the server has run from its own. Otherwise it must not send by itself. */
  readonly knowsOurs: boolean
  /** The columns of its chat, of a chat that comes back, and of its reader. */
  readonly columns: readonly [string, string, string]
}

const inOne = (column: string): Version['columns'] => [column, column, column]

export const AI_SDK_VERSIONS: readonly Version[] = [
  { ai: newest, knowsOurs: true, columns: [CHAT, RESUMED, READER] },
  { ai: ai6 as unknown as typeof newest, profile: '6', knowsOurs: true, columns: inOne('ai 6') },
  { ai: ai5 as unknown as typeof newest, profile: '5', knowsOurs: false, columns: inOne('ai 5') },
]

interface Client {
  readonly version: Version
  readonly chat: Chat
  /** How many requests it has sent, and how many were answered. */
  requests(): number
  responses(): number
}

/** What the AI SDK's chat and its reader make of a run that a server plays to them. */
export async function aiSdkTrials(stage: Stage, recorded: Recorded, version: Version): Promise<readonly Trial[]> {
  const threadId = `chat-${version.columns[0].replace(' ', '-')}-${stage.agentOf(recorded)}`
  const hold = stage.hold(threadId)
  const first = clientOf(stage, recorded, threadId, version, hold.begin)
  const sending = first.chat.sendMessage({ text: recorded.name })
  try {
    await until(() => first.responses() > 0)
    const second = await comeBack(stage, recorded, threadId, hold, first)
    hold.goOn()
    await sending
    const answered = await answerAll(first, recorded)
    return [
      chatTrial(first, recorded, answered),
      ...(second === undefined ? [] : [resumedTrial(second, first, recorded)]),
      await readerTrial(stage, recorded, await stage.runOf(threadId), version),
    ]
  } finally {
    hold.begin()
    hold.goOn()
  }
}

function clientOf(stage: Stage, recorded: Recorded, id: string, version: Version, onResponse: () => void): Client {
  const { ai } = version
  let requests = 0
  let responses = 0
  const transport = new ai.DefaultChatTransport<UIMessage>({
    api: `${stage.url}/api/chat`,
    headers: headersOf(stage, version),
    body: { agent: stage.agentOf(recorded) },
    async fetch(...request) {
      requests++
      if (requests > MOST_REQUESTS) throw new Error('The chat sends requests without end.')
      const response = await fetch(...request)
      responses++
      onResponse()
      return response
    },
  })
  const options = {
    id,
    transport,
    sendAutomaticallyWhen: (held: { messages: UIMessage[] }) =>
      isAnswered(ai, held) ||
      (version.knowsOurs && !recorded.isLeftToClient && ai.lastAssistantMessageIsCompleteWithToolCalls(held)),
    onError: () => {},
  }
  return { version, chat: createChat(options, ai), requests: () => requests, responses: () => responses }
}

/** A client names its profile in a header, because some versions lose the query of their address when they come back. */
const headersOf = ({ headers }: Stage, { profile }: Version) =>
  profile === undefined ? headers : { ...headers, 'millrace-profile': profile }

/** Whether the SDK sends by itself because all questions are answered. A version without approvals never does. */
const isAnswered = (ai: Partial<typeof newest>, held: { messages: UIMessage[] }): boolean =>
  ai.lastAssistantMessageIsCompleteWithApprovalResponses?.(held) === true

/**
 * A second chat joins while the run is live; undefined if a question pauses the responses, unless a chat cannot answer
 * that question: then reconnecting is how it reads the rest.
 */
async function comeBack(
  stage: Stage,
  recorded: Recorded,
  threadId: string,
  hold: Hold,
  first: Client,
): Promise<Client | undefined> {
  if (!recorded.canComeBack) return undefined
  if (recorded.asks) await settled(first.chat)
  const second = clientOf(stage, recorded, threadId, first.version, hold.goOn)
  await second.chat.resumeStream()
  await settled(second.chat)
  await settled(first.chat)
  return second
}

interface Answered {
  /** How many requests it took. */
  readonly requests: number
  /** How many of them the trial had to send itself. */
  readonly byHand: number
}

/** Answers every question about a call as the recording does, once. */
async function answerAll({ chat, requests, version }: Client, { answers }: Recorded): Promise<Answered> {
  const answered = new Set<string>()
  let byHand = 0
  for (let rounds = 0; ; rounds++) {
    await settled(chat)
    const open = openApprovals(chat).filter((id) => answers.has(id) && !answered.has(id))
    if (open.length === 0) return { requests: rounds, byHand }
    for (const id of open) {
      answered.add(id)
      await chat.addToolApprovalResponse({ id, approved: answers.get(id) === true })
    }
    // The SDK's own condition waits for all calls of the step, and some may not have begun.
    if (!isAnswered(version.ai, chat)) {
      byHand++
      await chat.sendMessage()
    }
    await until(() => requests() >= rounds + 2)
  }
}

function openApprovals({ messages }: Chat): readonly string[] {
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (isToolUIPart(part) && part.state === 'approval-requested' ? [part.approval.id] : []))
}

function chatTrial(client: Client, recorded: Recorded, answered: Answered): Trial {
  // What follows a question that a chat cannot answer, or that stays open, is read by one that comes back.
  const goesOn = recorded.goesOnBeside || recorded.goesOnUnanswered
  const differences = goesOn ? [] : differencesOf(client, recorded)
  // A recording that does not wait has ended when it is answered: the answer is sent at most once more, and refused.
  const isTooLate =
    recorded.answers.size > 0 && /^\{"error":\{"code":"not-asked"/.test(client.chat.error?.message ?? '')
  const extraRequests = Math.max(0, client.requests() - 1 - answered.requests - (isTooLate ? 1 : 0))
  // Nor does it hear how a run ends that goes on without it.
  const isCutOff = goesOn && client.chat.error === undefined
  const refused = isCutOff || isTooLate ? [] : refusals(client, recorded)
  return { client: client.version.columns[0], refusals: refused, differences, extraRequests, byHand: answered.byHand }
}

function resumedTrial(second: Client, first: Client, recorded: Recorded): Trial {
  const held = recorded.goesOnBeside ? [] : unlike(second.chat.messages, first.chat.messages.slice(1), 'the first')
  const differences = [...differencesOf(second, recorded), ...held]
  return { client: second.version.columns[1], refusals: refusals(second, recorded), differences }
}

function refusals({ chat: { error } }: Client, recorded: Recorded): readonly string[] {
  return refusalsOf(error === undefined ? [] : [error.message], runErrorOf(recorded))
}

function differencesOf({ chat: { messages } }: Client, recorded: Recorded): readonly string[] {
  const parts = messages.filter(({ role }) => role === 'assistant').flatMap((message) => message.parts)
  return differenceOf(aiSdkContent({ id: '', role: 'assistant', parts }), recorded, aiSdk.losses)
}

async function readerTrial(stage: Stage, recorded: Recorded, runId: string, version: Version): Promise<Trial> {
  const headers = headersOf(stage, version)
  const client = version.columns[2]
  const { body, status } = await fetch(`${stage.url}/api/runs/${runId}/stream?wire=ai-sdk`, { headers })
  if (body === null || status !== 200) return { client, refusals: [`status ${status}`], differences: [] }
  const errors: string[] = []
  const message = await readAiSdkBody(body, (error) => void errors.push(messageOf(error)), undefined, version.ai)
  return {
    client,
    refusals: refusalsOf(errors, runErrorOf(recorded)),
    differences: differenceOf(aiSdkContent(message), recorded, aiSdk.losses),
  }
}

/** The error message of a failed run; undefined for any other outcome. */
function runErrorOf({ end }: Recorded): string | undefined {
  return end.outcome === 'error' ? (end.error?.message ?? end.reason ?? 'The run failed.') : undefined
}

/** Resolves when the chat neither sends nor receives, and is not about to. */
async function settled(chat: Chat): Promise<void> {
  await until(() => chat.status === 'ready' || chat.status === 'error')
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  await until(() => chat.status === 'ready' || chat.status === 'error')
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !holds(); await setTimeout(1)) {
    if (Date.now() > deadline) throw new Error('A chat does not finish.')
  }
}
