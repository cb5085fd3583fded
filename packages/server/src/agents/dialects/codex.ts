import { isJsonObject, isText, type JsonObject } from '@millrace/core/json'
import type { AgentHost, ApprovalAnswer } from '../../run/agent.ts'
import { createPeer, type Peer, RpcError } from '../json-rpc.ts'
import type { Line } from '../pipe.ts'
import type { Permissions } from '../spec.ts'
import type { Turn } from '../turn.ts'
import { type Dialect, onStop, SessionGone } from './dialect.ts'
import { dialogue } from './dialogue.ts'

const policies: { readonly [Name in Permissions]: { readonly approvalPolicy: string; readonly sandbox: string } } = {
  read: { approvalPolicy: 'never', sandbox: 'read-only' },
  ask: { approvalPolicy: 'untrusted', sandbox: 'workspace-write' },
  edits: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  all: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
}

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** `codex app-server`: JSON-RPC without its version. */
export const codex: Dialect = {
  format: 'codex-app-server',
  can: { steer: true, session: 'fork', files: IMAGES },
  stopDelay: 1500,
  argv: () => [],
  async *converse(turn, host, pipe) {
    const ended = Promise.withResolvers<void>()
    let threadId: string | undefined
    const peer = createPeer({
      envelope: {},
      send: pipe.write,
      answer: (method, params, id) => rows[method]?.(host.answer(`${method}#${id}`), params),
      onNotification(method, params) {
        if (method === 'turn/completed' && params.threadId === threadId) ended.resolve()
      },
    })
    yield* dialogue(
      pipe,
      peer,
      async () => {
        threadId = await openThread(turn, peer)
        host.session(threadId)
        const input = [{ type: 'text', text: turn.prompt }, ...imagesOf(turn)]
        const { turn: begun } = await peer.request('turn/start', { threadId, input })
        const turnId = isJsonObject(begun) ? String(begun.id) : ''
        host.session(threadId, turnId)
        onStop(turn, () => void peer.request('turn/interrupt', { threadId, turnId }).catch(() => undefined))
        void steer(host, peer, threadId, turnId).catch(() => undefined)
        await ended.promise
      },
      isNews,
    )
  },
}

/** The log has what the person says: its repetition is left out. */
function isNews({ value }: Line): boolean {
  const params = isJsonObject(value) && isJsonObject(value.params) ? value.params : {}
  return !(isJsonObject(params.item) && params.item.type === 'userMessage')
}

async function openThread({ request, spec, session }: Turn, peer: Peer): Promise<string> {
  await peer.request('initialize', { clientInfo: { name: 'millrace', title: 'Millrace', version: '1' } })
  peer.notify('initialized')
  const { model, permissions, instructions } = spec
  const options = {
    cwd: request.cwd,
    ...policies[permissions],
    ...(model !== undefined && { model }),
    ...(instructions !== undefined && { developerInstructions: instructions }),
  }
  const opened = await (session === undefined
    ? peer.request('thread/start', options)
    : peer
        .request(session.isFork ? 'thread/fork' : 'thread/resume', {
          threadId: session.id,
          // The log has the turns before.
          excludeTurns: true,
          ...(session.isFork && session.at !== undefined && { lastTurnId: session.at }),
          ...options,
        })
        .catch((error: unknown) => {
          throw error instanceof RpcError ? new SessionGone(error.message) : error
        }))
  const { thread } = opened
  if (!isJsonObject(thread) || !isText(thread.id)) throw new Error('Codex has opened no thread.')
  return thread.id
}

const imagesOf = ({ files }: Turn) =>
  files.flatMap(({ path, mediaType }) => (IMAGES.includes(mediaType) ? [{ type: 'localImage', path }] : []))

async function steer(host: AgentHost, peer: Peer, threadId: string, turnId: string): Promise<void> {
  for await (const { text } of host.messages()) {
    await peer.request('turn/steer', { threadId, expectedTurnId: turnId, input: [{ type: 'text', text }] })
  }
}

type Answered = Promise<ApprovalAnswer>

/** What each question wants as its answer. */
const rows: { readonly [method: string]: ((answered: Answered, params: JsonObject) => Promise<object>) | undefined } = {
  'item/commandExecution/requestApproval': decide,
  'item/fileChange/requestApproval': decide,
  async 'item/permissions/requestApproval'(answered, { permissions }) {
    const answer = await answered
    const isApproved = answer.state === 'approved'
    const isRemembered = isApproved && answer.remember !== undefined
    return { permissions: isApproved ? (permissions ?? {}) : {}, scope: isRemembered ? 'session' : 'turn' }
  },
  async 'item/tool/requestUserInput'(answered) {
    const answer = await answered
    return { answers: answer.state === 'answered' ? answer.answer : {} }
  },
  async 'mcpServer/elicitation/request'(answered) {
    const answer = await answered
    if (answer.state === 'answered') return { action: 'accept', content: answer.answer }
    return { action: answer.state === 'approved' ? 'accept' : 'decline', content: null }
  },
}

async function decide(answered: Answered, { availableDecisions }: JsonObject): Promise<object> {
  const answer = await answered
  // Not `cancel`: it would end the turn.
  if (answer.state !== 'approved') return { decision: 'decline' }
  const mayRemember = !Array.isArray(availableDecisions) || availableDecisions.includes('acceptForSession')
  return { decision: answer.remember !== undefined && mayRemember ? 'acceptForSession' : 'accept' }
}
