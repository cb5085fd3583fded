import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { statusOf } from './failures.ts'
import { fileEvent } from './files.ts'
import type { GrowingTexts } from './growing-texts.ts'
import type { ToolPart, ToolState } from './raw.ts'
import type { EventScope, Sessions } from './sessions.ts'

/** What was emitted of a call. */
interface Call {
  hasInput: boolean
  /** The session of the subagent that it runs. */
  session: string | undefined
}

export interface ToolParts {
  /** The events of the current state of a call. */
  events(part: ToolPart, scope: EventScope): StreamEvent[]
}

export function createToolParts(texts: GrowingTexts, sessions: Sessions): ToolParts {
  const calls = new Map<string, Call>()

  function subagent(call: Call, callId: string, { input, metadata }: ToolState): StreamEvent[] {
    const id = metadata?.sessionId ?? metadata?.sessionID
    if (typeof id !== 'string' || call.session !== undefined) return []
    const { subagent_type, description, prompt } = (input ?? {}) as { readonly [field: string]: string | undefined }
    call.session = id
    return sessions.startSubagent(id, {
      name: subagent_type ?? description ?? id,
      callId,
      ...present({ task: prompt }),
    })
  }

  function growthEvents(callId: string, { status, raw, metadata }: ToolState, scope: EventScope): StreamEvent[] {
    if (status === 'pending' && raw) {
      const more = texts.growth(`${callId} input`, raw)
      return more ? [{ ...scope, type: 'tool-input-delta', callId, text: more }] : []
    }
    const output = metadata?.output
    const more = status === 'running' && typeof output === 'string' ? texts.growth(`${callId} output`, output) : ''
    return more ? [{ ...scope, type: 'tool-progress', callId, channel: 'stdout', text: more }] : []
  }

  return {
    events(part, scope) {
      const { state, tool: name } = part
      const callId = part.callID ?? part.id
      if (typeof callId !== 'string' || typeof state.status !== 'string') throw new TypeError('A call has no state.')
      const isLast = state.status === 'completed' || state.status === 'error'
      const end = isLast ? outputEvents(callId, state, scope) : []
      const existing = calls.get(callId)
      const call = existing ?? { hasInput: false, session: undefined }
      const hasInput = !call.hasInput && state.status !== 'pending'
      call.hasInput ||= hasInput
      const events: StreamEvent[] = [
        ...(existing === undefined ? [startEvent(callId, name, state, scope)] : []),
        ...(hasInput ? [{ ...scope, type: 'tool-input' as const, callId, input: state.input ?? {} }] : []),
        ...growthEvents(callId, state, scope),
        ...(isLast ? [] : subagent(call, callId, state)),
        ...end,
        ...(isLast ? endSubagent(sessions, call.session, end, scope) : []),
      ]
      if (isLast) calls.delete(callId)
      else remember(calls, callId, call)
      if (isLast) for (const field of ['input', 'output']) texts.forget(`${callId} ${field}`)
      return events
    },
  }
}

function startEvent(callId: string, name: string, state: ToolState, scope: EventScope): StreamEvent {
  const { title, time } = state
  return {
    ...scope,
    type: 'tool-start',
    callId,
    name,
    runBy: 'agent',
    ...present({ title: title || undefined, sentAt: time?.start ?? scope.sentAt }),
  }
}

function outputEvents(callId: string, state: ToolState, callScope: EventScope): StreamEvent[] {
  const { status, output, error, attachments, time } = state
  const scope = { ...callScope, ...present({ sentAt: time?.end ?? callScope.sentAt }) }
  const files = (attachments ?? []).map((file, index) => fileEvent(file, `${callId}:file-${index}`, scope, callId))
  const failureText = error ?? output ?? 'The tool failed'
  const result: EventOf<'tool-output'> = {
    ...scope,
    type: 'tool-output',
    callId,
    status: status === 'error' ? statusOf(failureText) : 'ok',
    output: output ?? error ?? '',
    ...(status === 'error' && { error: failureText }),
    ...details(state),
  }
  return [result, ...files]
}

/** What a tool reports besides its output: diffs, exit codes, counts. */
function details({ title, metadata, output }: ToolState): { meta?: { opencode: JsonObject } } {
  const fields = Object.entries(metadata ?? {}).filter(([, value]: [string, Json]) => value !== output)
  const opencode = present({
    title: title || undefined,
    metadata: fields.length === 0 ? undefined : Object.fromEntries(fields),
  }) as JsonObject
  return Object.keys(opencode).length === 0 ? {} : { meta: { opencode } }
}

/** A subagent that was announced ends with its call. */
function endSubagent(
  sessions: Sessions,
  agentId: string | undefined,
  [output]: readonly StreamEvent[],
  { sentAt }: EventScope,
): StreamEvent[] {
  if (agentId === undefined || output?.type !== 'tool-output' || !sessions.end(agentId)) return []
  const summary = String(output.output) || undefined
  const endings = { ok: 'done', error: 'failed', denied: 'cancelled', cancelled: 'cancelled' } as const
  return [{ type: 'subagent-end', agentId, status: endings[output.status], ...present({ summary, sentAt }) }]
}
