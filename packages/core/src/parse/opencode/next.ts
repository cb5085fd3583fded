import { present } from '../../data/present.ts'
import type { Common } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { isEmpty, keep, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { fileEvent } from './calls.ts'
import { type Ending, errorOf, type RawError, statusOf } from './failures.ts'
import { pushBlockEnd, pushStepEnd, type Tokens } from './parts.ts'

/** The fields of the newer events, which report changes instead of the state of a part. */
interface Properties {
  readonly textID: string
  readonly reasoningID: string
  readonly callID: string
  readonly messageID: string
  readonly delta: string
  readonly text: string
  readonly name: string
  readonly tool: string
  readonly input?: Json
  readonly command: string
  readonly output?: string
  readonly provider?: { readonly executed?: boolean } | null
  readonly providerMetadata?: JsonObject | null
  readonly content?: readonly Content[] | null
  readonly structured?: JsonObject | null
  readonly result?: Json
  readonly error?: RawError
  readonly finish?: string | null
  readonly cost?: number | null
  readonly tokens?: Tokens | null
  readonly agent?: string
  readonly model?: { readonly id?: string } | null
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly uri: string; readonly mime: string; readonly name?: string }

type Row = (out: Out, properties: Properties, scope: Common, ending: Ending) => unknown

const proseRows: { readonly [type: string]: Row } = {
  'text.started': (out, { textID: blockId }, scope) =>
    out.push({ ...scope, type: 'block-start', blockId, kind: 'text' }),
  'reasoning.started': (out, { reasoningID: blockId }, scope) =>
    out.push({ ...scope, type: 'block-start', blockId, kind: 'reasoning', variant: 'thinking' }),
  'text.delta': (out, { textID: blockId, delta: text }, scope) =>
    out.push({ ...scope, type: 'block-delta', blockId, text }),
  'reasoning.delta': (out, { reasoningID: blockId, delta: text }, scope) =>
    out.push({ ...scope, type: 'block-delta', blockId, text }),
  'text.ended'(out, { textID: blockId, text }, scope) {
    out.push({ type: 'block-patch', blockId, text })
    pushBlockEnd(out, blockId, 'text', undefined, scope)
  },
  'reasoning.ended'(out, { reasoningID: blockId, text, providerMetadata }, scope) {
    out.push({ type: 'block-patch', blockId, text })
    pushBlockEnd(out, blockId, 'reasoning', providerMetadata, scope)
  },
}

const rows: { readonly [type: string]: Row } = {
  'step.started'(out, { agent, model }, scope, ending) {
    if (scope.agentId === undefined) ending.resume(out)
    out.push({ ...scope, type: 'step-start', kind: 'model' }, ...metadata({ agent, model: model?.id }, scope))
  },
  'step.ended': (out, step, scope, ending) => pushStepEnd(out, step, step.finish, scope, ending),
  'step.failed': (out, { error }, scope) => out.push({ ...scope, type: 'error', ...errorOf(error) }),
  ...proseRows,
  'tool.input.started': (out, { callID: callId, name }, scope) =>
    out.push({ ...scope, type: 'tool-start', callId, name, runBy: 'agent' }),
  'tool.input.delta': (out, { callID: callId, delta }, scope) =>
    out.push({ ...scope, type: 'tool-input-delta', callId, text: delta }),
  'tool.input.ended': () => {},
  'tool.called': (out, { callID: callId, tool: name, input, provider }, scope) =>
    out.push(
      { ...scope, type: 'tool-start', callId, name, runBy: provider?.executed ? 'provider' : 'agent' },
      { ...scope, type: 'tool-input', callId, input: input ?? {} },
    ),
  'tool.progress'(out, { callID: callId, structured, content }, scope) {
    const data = { structured, content } as unknown as Json
    out.push({ ...scope, type: 'tool-progress', callId, channel: 'data', data })
  },
  'tool.success'(out, { callID: callId, content, structured, result }, scope) {
    const output = outputOf(content ?? [], result)
    const details = structured && !isEmpty(structured) ? keep('opencode', { structured }) : {}
    out.push({ ...scope, type: 'tool-output', callId, status: 'ok', output, ...details })
    out.push(...filesOf(content ?? [], callId, scope))
  },
  'tool.failed'(out, { callID: callId, error, result }, scope) {
    const { message } = errorOf(error)
    const status = statusOf(message)
    out.push({ ...scope, type: 'tool-output', callId, status, output: result ?? message, error: message })
  },
  'shell.started': (out, { callID: callId, command }, scope) =>
    out.push(
      { ...scope, type: 'tool-start', callId, name: 'shell', runBy: 'client' },
      { ...scope, type: 'tool-input', callId, input: { command } },
    ),
  'shell.ended': (out, { callID: callId, output }, scope) =>
    out.push({ ...scope, type: 'tool-output', callId, status: 'ok', output: output ?? '' }),
  retried: (out, { error }, scope) =>
    out.push({ ...scope, type: 'status', message: errorOf(error).message, level: 'warn' }),
  'compaction.started': (out, _properties, scope) =>
    out.push({ ...scope, type: 'status', message: 'The conversation is compacted', level: 'info' }),
  'compaction.delta': () => {},
  'compaction.ended': (out, { messageID: id, ...data }, scope) =>
    out.push({ ...scope, type: 'data', name: 'compaction', id, data: data as unknown as JsonObject }),
  /** `prompted` repeats it when the agent reads the prompt. */
  'prompt.admitted': () => {},
  'agent.switched': (out, { agent }, scope) =>
    out.push({ ...scope, type: 'metadata', metadata: present({ agent }) as JsonObject }),
  'model.switched': (out, { model }, scope) =>
    out.push({ ...scope, type: 'metadata', metadata: present({ model: model?.id }) as JsonObject }),
}

/** Adds the events of `session.next.<name>`. Returns false if the name is unknown. */
export function pushNext(out: Out, name: string, properties: JsonObject, scope: Common, ending: Ending): boolean {
  if (!Object.hasOwn(rows, name)) return false
  rows[name]?.(out, properties as unknown as Properties, scope, ending)
  return true
}

function outputOf(content: readonly Content[], result: Json | undefined): Json {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === 0 && result !== undefined ? result : texts.join('\n')
}

function filesOf(content: readonly Content[], callId: string, scope: Common): StreamEvent[] {
  return content.flatMap((part, index) => {
    if (part.type !== 'file') return []
    const file = { mime: part.mime, url: part.uri, filename: part.name ?? null }
    return [fileEvent(file, `${callId}:file-${index}`, scope, callId)]
  })
}
