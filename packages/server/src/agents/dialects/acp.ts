import { setTimeout as sleep } from 'node:timers/promises'
import { AgentFailure } from '@millrace/core/agent'
import { isJsonObject, isText, type Json, type JsonObject } from '@millrace/core/json'
import type { AgentHost, ApprovalAnswer } from '../../run/agent.ts'
import { createPeer, type Peer, RpcError } from '../json-rpc.ts'
import type { Permissions } from '../spec.ts'
import type { Turn } from '../turn.ts'
import { type Dialect, onStop, SessionGone } from './dialect.ts'
import { dialogue } from './dialogue.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The Agent Client Protocol, version 1: any program that speaks it. */
export const acp: Dialect = {
  format: 'acp',
  can: { session: 'resume', files: IMAGES },
  stopDelay: 1500,
  argv: () => [],
  async *converse(turn, host, pipe) {
    const loading = { isUnderWay: false, lastUpdate: 0 }
    const peer = createPeer({
      envelope: { jsonrpc: '2.0' },
      send: pipe.write,
      answer: (method, params, id) =>
        method === 'session/request_permission' ? permit(turn, host, params, `${method}#${id}`) : undefined,
      onNotification: () => undefined,
    })
    const play = () => playTurn(turn, host, peer, loading)
    yield* dialogue(pipe, peer, play, ({ value }) => !isRepetition(value, loading))
  },
}

/** While a session is loaded its updates are repetitions: the log has them. */
interface Loading {
  isUnderWay: boolean
  /** On the clock of the process. */
  lastUpdate: number
}

function isRepetition(value: unknown, loading: Loading): boolean {
  if (!loading.isUnderWay || !isJsonObject(value) || value.method !== 'session/update') return false
  loading.lastUpdate = performance.now()
  return true
}

/** Some agents answer `session/load` before they repeat the session: nothing is asked until they are silent. */
const SILENT_FOR = 300
const LONGEST_REPETITION = 5000

async function repetitionsEnd(loading: Loading, signal: AbortSignal): Promise<void> {
  const latest = performance.now() + LONGEST_REPETITION
  loading.lastUpdate = performance.now()
  while (!signal.aborted && performance.now() < Math.min(latest, loading.lastUpdate + SILENT_FOR)) await sleep(20)
}

async function playTurn(turn: Turn, host: AgentHost, peer: Peer, loading: Loading): Promise<void> {
  const capabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }
  const initialized = await peer.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: 'millrace', title: 'Millrace', version: '1' },
  })
  const { authenticate, login, name } = turn.spec
  if (authenticate !== undefined) await peer.request('authenticate', { methodId: authenticate })
  const { sessionId, id, modes } = await openSession(turn, peer, initialized, loading).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error
    const advice = login === undefined ? '' : ` To log in, type: ${login}`
    throw new AgentFailure('agent-refused', `${name} opens no session: ${error.message}.${advice}`)
  })
  host.session(id)
  await chooseMode(turn, peer, sessionId, modes)
  onStop(turn, () => peer.notify('session/cancel', { sessionId }))
  const prompt = [{ type: 'text', text: turn.prompt }, ...(await imagesOf(turn))]
  // An error is a record that its parser reads as the end.
  await peer.request('session/prompt', { sessionId, prompt }).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error
    throw new AgentFailure('agent-refused', `${name}: ${error.message}`)
  })
}

interface Opened {
  /** What this connection calls it. */
  readonly sessionId: string
  /** What later turns continue. */
  readonly id: string
  readonly modes: Json | undefined
}

async function openSession(
  turn: Turn,
  peer: Peer,
  { agentCapabilities }: JsonObject,
  loading: Loading,
): Promise<Opened> {
  const { request, session, spec } = turn
  const { cwd, signal } = request
  if (session === undefined) {
    const { sessionId, modes } = await peer.request('session/new', { cwd, mcpServers: [] })
    if (!isText(sessionId)) throw new Error('The agent has opened no session.')
    return { sessionId, id: sessionId, modes }
  }
  const { id } = session
  const { sessionCapabilities, loadSession } = isJsonObject(agentCapabilities) ? agentCapabilities : {}
  const canResume = isJsonObject(sessionCapabilities) && sessionCapabilities.resume !== undefined
  if (!canResume && loadSession !== true) throw new SessionGone('The agent continues no session.')
  const open = async (method: string, sessionId: string): Promise<Opened> => {
    const { modes } = await peer.request(method, { sessionId, cwd, mcpServers: [] })
    return { sessionId, id, modes }
  }
  loading.isUnderWay = !canResume
  try {
    if (canResume) return await open('session/resume', id)
    const opened = await withPrefix(spec.loadPrefix, id, (sessionId) => open('session/load', sessionId))
    await repetitionsEnd(loading, signal)
    return opened
  } catch (error) {
    throw error instanceof RpcError ? new SessionGone(error.message) : error
  } finally {
    loading.isUnderWay = false
  }
}

/** A version of the agent that does not understand the prefix gets the id as it is. */
async function withPrefix(
  prefix: string | undefined,
  id: string,
  load: (sessionId: string) => Promise<Opened>,
): Promise<Opened> {
  if (prefix === undefined) return load(id)
  return load(`${prefix}${id}`).catch((error: unknown) => {
    if (error instanceof RpcError) return load(id)
    throw error
  })
}

/** The names that agents give to such a mode. Without a mode that asks, what the person has set in the agent is kept. */
const modeNames: { readonly [Name in Permissions]: { readonly name: RegExp; readonly isNeeded: boolean } } = {
  read: { name: /plan|read[ _-]?only|^ask$/i, isNeeded: true },
  ask: { name: /^default$/i, isNeeded: false },
  edits: { name: /auto[ _-]?edit|accept[ _-]?edits/i, isNeeded: true },
  all: { name: /^default$/i, isNeeded: false },
}

async function chooseMode({ spec }: Turn, peer: Peer, sessionId: string, modes: Json | undefined): Promise<void> {
  const { name, isNeeded } = modeNames[spec.permissions]
  const { availableModes, currentModeId } = isJsonObject(modes) ? modes : {}
  const available = Array.isArray(availableModes) ? availableModes.filter(isJsonObject) : []
  const mode = available.find(({ id }) => isText(id) && name.test(id))
  if (mode === undefined) {
    if (!isNeeded) return
    throw new AgentFailure('no-mode', `${spec.name} has no mode for the permissions "${spec.permissions}".`)
  }
  if (mode.id !== currentModeId) await peer.request('session/set_mode', { sessionId, modeId: mode.id })
}

async function imagesOf({ request, files }: Turn): Promise<readonly object[]> {
  const images = files.filter(({ mediaType }) => IMAGES.includes(mediaType))
  return Promise.all(
    images.map(async ({ id, mediaType: mimeType }) => ({
      type: 'image',
      mimeType,
      data: Buffer.from(await request.file(id)).toString('base64'),
    })),
  )
}

async function permit({ spec }: Turn, host: AgentHost, { options }: JsonObject, approvalId: string): Promise<object> {
  const answer = spec.permissions === 'all' ? ({ state: 'approved' } as const) : await host.answer(approvalId)
  const offered = Array.isArray(options) ? options.filter(isJsonObject) : []
  // By its kind, never by its position: some agents list the widest first.
  const optionOf = (wanted: string) => offered.find((option) => option.kind === wanted && !isForEver(option))?.optionId
  const optionId = kindsFor(answer).map(optionOf).find(isText)
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
}

/** An option that writes into the person's settings: nobody is asked for that. Agents tell it by its name alone. */
const isForEver = ({ kind, optionId, name }: JsonObject): boolean =>
  /_always$/.test(String(kind)) && /project|user|workspace|folder|global|permanent|forever/i.test(`${optionId} ${name}`)

function kindsFor(answer: ApprovalAnswer): readonly string[] {
  if (answer.state === 'denied') return ['reject_once', 'reject_always']
  if (answer.state !== 'approved') return []
  return answer.remember === undefined ? ['allow_once'] : ['allow_always', 'allow_once']
}
