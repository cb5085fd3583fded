import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Common } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { fileContent } from '../kit/file.ts'
import type { Items } from '../kit/items.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { statusOf } from './failures.ts'
import type { Sessions } from './sessions.ts'

export type Times = { readonly start?: number; readonly end?: number } | null

export interface RawFile {
  readonly id?: string
  readonly mime: string
  readonly filename?: string | null
  readonly url: string
}

/** The fields of the part of a call, as far as they are read. */
export interface CallPart {
  readonly id: string
  readonly callID?: string
  readonly tool?: string
  readonly state?: ToolState
}

interface ToolState {
  readonly status: 'pending' | 'running' | 'completed' | 'error'
  readonly input?: Json
  /** The streamed input so far. */
  readonly raw?: string | null
  readonly output?: string | null
  readonly error?: string | null
  readonly title?: string | null
  readonly metadata?: JsonObject | null
  readonly time?: Times
  readonly attachments?: readonly RawFile[] | null
}

/** Returns the function that adds the events of the current state of a call. */
export function createCallReader(items: Items, sessions: Sessions): (out: Out, part: CallPart, scope: Common) => void {
  /** The sessions of subagents, by the calls that run them. */
  const subagents = new Map<string, string>()

  function startSubagent(out: Out, callId: string, { input, metadata }: ToolState): void {
    const id = metadata?.sessionId ?? metadata?.sessionID
    if (typeof id !== 'string' || subagents.has(callId)) return
    const { subagent_type, description, prompt } = (input ?? {}) as { readonly [field: string]: string | undefined }
    remember(subagents, callId, id)
    const name = subagent_type ?? description ?? id
    sessions.startSubagent(out, id, { name, callId, ...present({ task: prompt }) })
  }

  function pushGrowth(out: Out, callId: string, { status, raw, metadata }: ToolState, scope: Common): void {
    const input = status === 'pending' && raw ? items.growth(callId, raw) : ''
    if (input !== '') out.push({ ...scope, type: 'tool-input-delta', callId, text: input })
    const output = status === 'running' ? metadata?.output : undefined
    const text = typeof output === 'string' ? items.growth(`${callId} output`, output) : ''
    if (text !== '') out.push({ ...scope, type: 'tool-progress', callId, channel: 'stdout', text })
  }

  function pushCall(out: Out, part: CallPart, scope: Common): void {
    const state = part.state as ToolState
    const callId = part.callID ?? part.id
    if (typeof callId !== 'string' || typeof state.status !== 'string') throw new TypeError('A call has no state.')
    const isLast = state.status === 'completed' || state.status === 'error'
    const { title, time, attachments } = state
    const output = isLast ? outputOf(callId, state, scope) : undefined
    const fileScope = { ...scope, ...present({ sentAt: output?.sentAt }) }
    const files = attachments?.map((file, at) => fileEvent(file, `${callId}:file-${at}`, fileScope, callId)) ?? []
    const start = present({ title: title || undefined, sentAt: time?.start ?? scope.sentAt })
    if (items.isNew(callId, 'start'))
      out.push({ ...scope, type: 'tool-start', callId, name: part.tool as string, runBy: 'agent', ...start })
    if (state.status !== 'pending' && items.isNew(callId, 'input'))
      out.push({ ...scope, type: 'tool-input', callId, input: state.input ?? {} })
    pushGrowth(out, callId, state, scope)
    if (output === undefined) {
      startSubagent(out, callId, state)
      return
    }
    out.push(output, ...files)
    endSubagent(out, output, scope)
    items.end(callId)
    items.end(`${callId} output`)
  }

  /** A subagent that was announced ends with its call. */
  function endSubagent(out: Out, { callId, status, output }: EventOf<'tool-output'>, { sentAt }: Common): void {
    const agentId = subagents.get(callId)
    subagents.delete(callId)
    if (agentId === undefined || !sessions.end(agentId)) return
    const summary = String(output) || undefined
    out.push({ type: 'subagent-end', agentId, status: ENDINGS[status], ...present({ summary, sentAt }) })
  }

  return pushCall
}

export function fileEvent(file: RawFile, fallbackId: string, scope: Common, callId?: string): EventOf<'file'> {
  const { mime, url, filename } = file
  const content = { ...fileContent({ url }, mime), mediaType: mime }
  return { ...scope, type: 'file', fileId: file.id ?? fallbackId, ...content, ...present({ filename, callId }) }
}

const ENDINGS = { ok: 'done', error: 'failed', denied: 'cancelled', cancelled: 'cancelled' } as const

function outputOf(callId: string, state: ToolState, scope: Common): EventOf<'tool-output'> {
  const { status, output, error, time, title, metadata } = state
  const failureText = error ?? output ?? 'The tool failed'
  // What a tool reports besides its output: diffs, exit codes, counts.
  const others = Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => value !== output))
  return {
    ...scope,
    ...present({ sentAt: time?.end ?? scope.sentAt }),
    type: 'tool-output',
    callId,
    status: status === 'error' ? statusOf(failureText) : 'ok',
    output: output ?? error ?? '',
    ...(status === 'error' && { error: failureText }),
    ...keep('opencode', { title: title || undefined, metadata: isEmpty(others) ? undefined : others }),
  }
}
