import { HttpAgent } from '@ag-ui/client'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { createChat } from '../wires/readers/ai-sdk.ts'
import { type Api, eventually, isApproved } from './api.ts'
import type { Address } from './workplace.ts'

/** Says something to an agent in a new thread, and answers what it asks, as one client does it. */
export type Client = (stage: Stage, text: string) => Promise<void>

interface Stage {
  readonly address: Address
  readonly api: Api
  readonly agent: string
  readonly threadId: string
}

/** Which of the questions that a client shows are about the call that is denied: the log knows. */
async function isDenied({ api, threadId }: Stage, approvalId: string): Promise<boolean> {
  const open = await api.open(threadId)
  return open.some((question) => question.approvalId === approvalId && !isApproved(question))
}

/** The routes that the app uses. */
export const http: Client = async ({ api, agent, threadId }, text) => {
  const { runId } = await api.start(threadId, agent, text)
  await eventually(`the end of ${runId}`, async () => {
    for (const question of await api.open(threadId)) {
      const answer = isApproved(question)
        ? ({ state: 'approved' } as const)
        : ({ state: 'denied', message: 'Not the wind.' } as const)
      // It may have been withdrawn meanwhile.
      await api.answer(runId, question.approvalId, answer)
    }
    return (await api.isOver(threadId)) ? true : undefined
  })
}

/**
 * The SDK's own `lastAssistantMessageIsCompleteWithApprovalResponses` also waits for the calls of the step that no question is
 * about yet: it never sends if an agent asks about parallel calls one after another, as Claude Code does (`docs/wires/ai-sdk.md`).
 */
function areAnswered(messages: readonly UIMessage[]): boolean {
  const states = (messages.at(-1)?.parts ?? []).map((part) => ('state' in part ? part.state : undefined))
  return states.includes('approval-responded') && !states.includes('approval-requested')
}

/** The AI SDK's own chat over `/api/chat`. */
export const aiSdk: Client = async (stage, text) => {
  const { address, agent, threadId } = stage
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${address.url}/api/chat`,
    headers: { authorization: `Bearer ${address.token}` },
    body: { agent },
  })
  const chat = createChat({
    id: threadId,
    transport,
    sendAutomaticallyWhen: ({ messages }) => areAnswered(messages),
  })
  await chat.sendMessage({ text })
  await eventually('the end of the chat', async () => {
    if (chat.error !== undefined) throw chat.error
    if (chat.status !== 'ready') return undefined
    const asked = chat.messages
      .flatMap(({ parts }) => parts)
      .flatMap((part) =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested' ? [part.approval.id] : [],
      )
    for (const id of asked) await chat.addToolApprovalResponse({ id, approved: !(await isDenied(stage, id)) })
    return asked.length === 0 && (await stage.api.isOver(threadId)) ? true : undefined
  })
}

interface Outcome {
  readonly interrupts?: readonly { readonly id: string }[]
}

/** The client of AG-UI over `/api/ag-ui`. */
export const agUi: Client = async (stage, text) => {
  const { address, agent, threadId } = stage
  const headers = { authorization: `Bearer ${address.token}` }
  const client = new HttpAgent({ url: `${address.url}/api/ag-ui/${agent}`, headers, threadId })
  client.addMessage({ id: 'said', role: 'user', content: text })
  let open: readonly string[] = []
  const run = (input: Parameters<HttpAgent['runAgent']>[0]) =>
    client.runAgent(input, {
      onRunFinishedEvent({ event }) {
        open = ((event.outcome as Outcome | undefined)?.interrupts ?? []).map(({ id }) => id)
      },
      onRunErrorEvent({ event }) {
        throw new Error(event.message)
      },
    })
  await run({})
  while (open.length > 0) {
    const answers = open.map(async (interruptId) => ({
      interruptId,
      status: 'resolved' as const,
      payload: { approved: !(await isDenied(stage, interruptId)) },
    }))
    await run({ resume: await Promise.all(answers) })
  }
}
