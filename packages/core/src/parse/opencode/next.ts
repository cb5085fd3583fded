import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { errorOf, statusOf } from './failures.ts'
import { fileEvent } from './files.ts'
import { type Steps, usageEvents } from './parts.ts'
import { endEvents } from './prose.ts'
import type { RawError, Tokens } from './raw.ts'
import type { EventScope } from './sessions.ts'

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
  readonly prompt?: { readonly text: string }
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly uri: string; readonly mime: string; readonly name?: string }

type Row = (properties: Properties, scope: EventScope, steps: Steps) => readonly StreamEvent[]

const rows: { readonly [type: string]: Row } = {
  'step.started'({ agent, model }, scope, steps) {
    const resumed = scope.agentId === undefined ? steps.begin() : []
    const metadata = present({ agent, model: model?.id }) as JsonObject
    const isNamed = Object.keys(metadata).length > 0
    return [
      ...resumed,
      { ...scope, type: 'step-start', kind: 'model' },
      ...(isNamed ? [{ ...scope, type: 'metadata' as const, metadata }] : []),
    ]
  },
  'step.ended'({ finish, cost, tokens }, scope, steps) {
    if (scope.agentId === undefined) steps.end(finish ?? undefined)
    return [...usageEvents(tokens, cost, scope), { ...scope, type: 'step-end', ...present({ reason: finish }) }]
  },
  'step.failed': ({ error }, scope) => [{ ...scope, type: 'error', ...errorOf(error) }],
  'text.started': ({ textID }, scope) => [{ ...scope, type: 'block-start', blockId: textID, kind: 'text' }],
  'text.delta': ({ textID, delta }, scope) => [{ ...scope, type: 'block-delta', blockId: textID, text: delta }],
  'text.ended': ({ textID, text }, scope) => [
    { type: 'block-patch', blockId: textID, text },
    { ...scope, type: 'block-end', blockId: textID },
  ],
  'reasoning.started': ({ reasoningID }, scope) => [
    { ...scope, type: 'block-start', blockId: reasoningID, kind: 'reasoning', variant: 'thinking' },
  ],
  'reasoning.delta': ({ reasoningID, delta }, scope) => [
    { ...scope, type: 'block-delta', blockId: reasoningID, text: delta },
  ],
  'reasoning.ended': ({ reasoningID, text, providerMetadata }, scope) => [
    { type: 'block-patch', blockId: reasoningID, text },
    ...endEvents(reasoningID, 'reasoning', providerMetadata, scope),
  ],
  'tool.input.started': ({ callID, name }, scope) => [
    { ...scope, type: 'tool-start', callId: callID, name, runBy: 'agent' },
  ],
  'tool.input.delta': ({ callID, delta }, scope) => [
    { ...scope, type: 'tool-input-delta', callId: callID, text: delta },
  ],
  'tool.input.ended': () => SILENT,
  'tool.called': ({ callID, tool, input, provider }, scope) => [
    { ...scope, type: 'tool-start', callId: callID, name: tool, runBy: provider?.executed ? 'provider' : 'agent' },
    { ...scope, type: 'tool-input', callId: callID, input: input ?? {} },
  ],
  'tool.progress': ({ callID, structured, content }, scope) => [
    {
      ...scope,
      type: 'tool-progress',
      callId: callID,
      channel: 'data',
      data: { structured, content } as unknown as Json,
    },
  ],
  'tool.success': ({ callID, content, structured, result }, scope) => [
    {
      ...scope,
      type: 'tool-output',
      callId: callID,
      status: 'ok',
      output: outputOf(content ?? [], result),
      ...(structured && Object.keys(structured).length > 0 && { meta: { opencode: { structured } } }),
    },
    ...filesOf(content ?? [], callID, scope),
  ],
  'tool.failed'({ callID, error, result }, scope) {
    const { message } = errorOf(error)
    const status = statusOf(message)
    return [{ ...scope, type: 'tool-output', callId: callID, status, output: result ?? message, error: message }]
  },
  'shell.started': ({ callID, command }, scope) => [
    { ...scope, type: 'tool-start', callId: callID, name: 'shell', runBy: 'client' },
    { ...scope, type: 'tool-input', callId: callID, input: { command } },
  ],
  'shell.ended': ({ callID, output }, scope) => [
    { ...scope, type: 'tool-output', callId: callID, status: 'ok', output: output ?? '' },
  ],
  retried: ({ error }, scope) => [{ ...scope, type: 'status', message: errorOf(error).message, level: 'warn' }],
  'compaction.started': (_properties, scope) => [
    { ...scope, type: 'status', message: 'The conversation is compacted', level: 'info' },
  ],
  'compaction.delta': () => SILENT,
  'compaction.ended': ({ messageID, ...data }, scope) => [
    { ...scope, type: 'data', name: 'compaction', id: messageID, data: data as unknown as JsonObject },
  ],
  /** `prompted` repeats it when the agent reads the prompt. */
  'prompt.admitted': () => SILENT,
  'agent.switched': ({ agent }, scope) => [{ ...scope, type: 'metadata', metadata: present({ agent }) as JsonObject }],
  'model.switched': ({ model }, scope) => [
    { ...scope, type: 'metadata', metadata: present({ model: model?.id }) as JsonObject },
  ],
}
const table = new Map(Object.entries(rows))

/** The events of `session.next.<name>`; `undefined` if the name is unknown. */
export function nextEvents(
  name: string,
  properties: JsonObject,
  scope: EventScope,
  steps: Steps,
): readonly StreamEvent[] | undefined {
  return table.get(name)?.(properties as unknown as Properties, scope, steps)
}

function outputOf(content: readonly Content[], result: Json | undefined): Json {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === 0 && result !== undefined ? result : texts.join('\n')
}

function filesOf(content: readonly Content[], callId: string, scope: EventScope): StreamEvent[] {
  return content.flatMap((part, index) =>
    part.type === 'file'
      ? [
          fileEvent(
            { mime: part.mime, url: part.uri, filename: part.name ?? null },
            `${callId}:file-${index}`,
            scope,
            callId,
          ),
        ]
      : [],
  )
}
