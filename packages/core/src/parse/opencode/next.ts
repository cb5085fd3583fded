import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { errorOf, statusOf } from './failures.ts'
import { fileEvent } from './files.ts'
import type { Steps } from './parts.ts'
import { endEvents } from './prose.ts'
import type { RawError, Tokens } from './raw.ts'
import type { Place } from './sessions.ts'
import { usageEvents } from './usage.ts'

/** The fields of the newer events, which name what happens rather than how a part stands. */
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

type Row = (properties: Properties, place: Place, steps: Steps) => readonly StreamEvent[]

const rows: { readonly [type: string]: Row } = {
  'step.started'({ agent, model }, place, steps) {
    if (place.agentId === undefined) steps.begin()
    const metadata = present({ agent, model: model?.id }) as JsonObject
    return [
      { ...place, type: 'step-start', kind: 'model' },
      { ...place, type: 'metadata', metadata },
    ]
  },
  'step.ended'({ finish, cost, tokens }, place, steps) {
    if (place.agentId === undefined) steps.end(finish ?? undefined)
    return [...usageEvents(tokens, cost, place), { ...place, type: 'step-end', ...present({ reason: finish }) }]
  },
  'step.failed': ({ error }, place) => [{ ...place, type: 'error', ...errorOf(error) }],
  'text.started': ({ textID }, place) => [{ ...place, type: 'block-start', blockId: textID, kind: 'text' }],
  'text.delta': ({ textID, delta }, place) => [{ ...place, type: 'block-delta', blockId: textID, text: delta }],
  'text.ended': ({ textID, text }, place) => [
    { type: 'block-patch', blockId: textID, text },
    { ...place, type: 'block-end', blockId: textID },
  ],
  'reasoning.started': ({ reasoningID }, place) => [
    { ...place, type: 'block-start', blockId: reasoningID, kind: 'reasoning', variant: 'thinking' },
  ],
  'reasoning.delta': ({ reasoningID, delta }, place) => [
    { ...place, type: 'block-delta', blockId: reasoningID, text: delta },
  ],
  'reasoning.ended': ({ reasoningID, text, providerMetadata }, place) => [
    { type: 'block-patch', blockId: reasoningID, text },
    ...endEvents(reasoningID, 'reasoning', providerMetadata, place),
  ],
  'tool.input.started': ({ callID, name }, place) => [
    { ...place, type: 'tool-start', callId: callID, name, runBy: 'agent' },
  ],
  'tool.input.delta': ({ callID, delta }, place) => [
    { ...place, type: 'tool-input-delta', callId: callID, text: delta },
  ],
  'tool.input.ended': () => SILENT,
  'tool.called': ({ callID, tool, input, provider }, place) => [
    { ...place, type: 'tool-start', callId: callID, name: tool, runBy: provider?.executed ? 'provider' : 'agent' },
    { ...place, type: 'tool-input', callId: callID, input: input ?? {} },
  ],
  'tool.progress': ({ callID, structured, content }, place) => [
    {
      ...place,
      type: 'tool-progress',
      callId: callID,
      channel: 'data',
      data: { structured, content } as unknown as Json,
    },
  ],
  'tool.success': ({ callID, content, structured, result }, place) => [
    {
      ...place,
      type: 'tool-output',
      callId: callID,
      status: 'ok',
      output: outputOf(content ?? [], result),
      ...(structured && Object.keys(structured).length > 0 && { meta: { opencode: { structured } } }),
    },
    ...filesOf(content ?? [], callID, place),
  ],
  'tool.failed'({ callID, error, result }, place) {
    const { message } = errorOf(error)
    const status = statusOf(message)
    return [{ ...place, type: 'tool-output', callId: callID, status, output: result ?? message, error: message }]
  },
  'shell.started': ({ callID, command }, place) => [
    { ...place, type: 'tool-start', callId: callID, name: 'shell', runBy: 'client' },
    { ...place, type: 'tool-input', callId: callID, input: { command } },
  ],
  'shell.ended': ({ callID, output }, place) => [
    { ...place, type: 'tool-output', callId: callID, status: 'ok', output: output ?? '' },
  ],
  retried: ({ error }, place) => [{ ...place, type: 'status', message: errorOf(error).message, level: 'warn' }],
  'compaction.started': (_properties, place) => [
    { ...place, type: 'status', message: 'The conversation is compacted', level: 'info' },
  ],
  'compaction.delta': () => SILENT,
  'compaction.ended': ({ messageID, ...data }, place) => [
    { ...place, type: 'data', name: 'compaction', id: messageID, data: data as unknown as JsonObject },
  ],
  /** It is told again when the agent takes it up. */
  'prompt.admitted': () => SILENT,
  'agent.switched': ({ agent }, place) => [{ ...place, type: 'metadata', metadata: present({ agent }) as JsonObject }],
  'model.switched': ({ model }, place) => [
    { ...place, type: 'metadata', metadata: present({ model: model?.id }) as JsonObject },
  ],
}
const table = new Map(Object.entries(rows))

/** The events of `session.next.<name>`; `undefined` where it is unknown. */
export function nextEvents(
  name: string,
  properties: JsonObject,
  place: Place,
  steps: Steps,
): readonly StreamEvent[] | undefined {
  return table.get(name)?.(properties as unknown as Properties, place, steps)
}

function outputOf(content: readonly Content[], result: Json | undefined): Json {
  const texts = content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
  return texts.length === 0 && result !== undefined ? result : texts.join('\n')
}

function filesOf(content: readonly Content[], callId: string, place: Place): StreamEvent[] {
  return content.flatMap((piece, index) =>
    piece.type === 'file'
      ? [
          fileEvent(
            { mime: piece.mime, url: piece.uri, filename: piece.name ?? null },
            `${callId}:file-${index}`,
            place,
            callId,
          ),
        ]
      : [],
  )
}
