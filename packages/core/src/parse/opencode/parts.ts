import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { errorOf } from './failures.ts'
import { fileEvent } from './files.ts'
import type { GrowingTexts } from './growing-texts.ts'
import { proseEvents } from './prose.ts'
import type { Part, ProsePart, Tokens } from './raw.ts'
import type { EventScope } from './sessions.ts'
import type { ToolParts } from './tool-part.ts'

/** The steps of the main agent, which decide how the run ends. */
export interface Steps {
  /** The failure before it, if any: the run goes on. */
  begin(): StreamEvent[]
  end(reason: string | undefined): void
}

export interface PartContext {
  readonly texts: GrowingTexts
  readonly tools: ToolParts
  readonly steps: Steps
  /** The scope of the part. */
  readonly scope: EventScope
  /** Whether no more of it follows. */
  readonly isWhole: boolean
}

type Rows = {
  readonly [Type in Part['type']]: (part: Extract<Part, { type: Type }>, context: PartContext) => StreamEvent[]
}

const rows: Rows = {
  text: proseRow,
  reasoning: proseRow,
  tool: (part, { tools, scope }) => tools.events(part, scope),
  'step-start'(_part, { steps, scope }) {
    const resumed = scope.agentId === undefined ? steps.begin() : []
    return [...resumed, { ...scope, type: 'step-start', kind: 'model' }]
  },
  'step-finish'({ reason: rawReason, tokens, cost }, { steps, scope }) {
    const reason = rawReason ?? undefined
    if (scope.agentId === undefined) steps.end(reason)
    return [...usageEvents(tokens, cost, scope), { ...scope, type: 'step-end', ...present({ reason }) }]
  },
  file: (part, { scope }) => [fileEvent(part, part.id, scope)],
  retry: ({ error }, { scope }) => [{ ...scope, type: 'status', message: errorOf(error).message, level: 'warn' }],
  compaction: (_part, { scope }) => [
    { ...scope, type: 'status', message: 'The conversation is compacted', level: 'info' },
  ],
  snapshot: dataRow,
  patch: dataRow,
  agent: dataRow,
  subtask: dataRow,
}
const table = new Map(Object.entries(rows)) as ReadonlyMap<string, (part: Part, context: PartContext) => StreamEvent[]>

/** The events of the current state of a part; `undefined` if its type is unknown. */
export function partEvents(part: Part, context: PartContext): StreamEvent[] | undefined {
  return table.get(part.type)?.(part, context)
}

function proseRow(part: ProsePart, { texts, scope, isWhole }: PartContext): StreamEvent[] {
  return proseEvents(texts, part, scope, isWhole || typeof part.time?.end === 'number')
}

function dataRow(part: Part, { scope }: PartContext): StreamEvent[] {
  const { id, type: name, sessionID: _session, messageID: _message, ...data } = part
  return [{ ...scope, type: 'data', name, id, data: data as unknown as JsonObject }]
}

export function usageEvents(tokens: Tokens | null | undefined, cost: number | null | undefined, scope: EventScope) {
  const { input, output, reasoning, cache } = tokens ?? {}
  const counts = present({
    inputTokens: sum(input, cache?.read, cache?.write),
    outputTokens: sum(output, reasoning),
    reasoningTokens: reasoning,
    cacheReadTokens: cache?.read,
    cacheWriteTokens: cache?.write,
    costUsd: cost,
  })
  const event: StreamEvent = { ...scope, type: 'usage', scope: 'step', mode: 'snapshot', ...counts }
  return Object.keys(counts).length === 0 ? [] : [event]
}

function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const numbers = counts.filter((count) => typeof count === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((total, count) => total + count, 0)
}
