import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { errorOf } from './failures.ts'
import { fileEvent } from './files.ts'
import { proseEvents } from './prose.ts'
import type { Part, ProsePart } from './raw.ts'
import type { Place } from './sessions.ts'
import type { Told } from './told.ts'
import type { ToolParts } from './tool-part.ts'
import { usageEvents } from './usage.ts'

/** How the steps of the main agent bear on the run's end. */
export interface Steps {
  begin(): void
  end(reason: string | undefined): void
}

export interface Reading {
  readonly told: Told
  readonly tools: ToolParts
  readonly steps: Steps
  /** Where the part stands. */
  readonly place: Place
  /** No more will come of it. */
  readonly isWhole: boolean
}

type Rows = {
  readonly [Type in Part['type']]: (part: Extract<Part, { type: Type }>, reading: Reading) => StreamEvent[]
}

const rows: Rows = {
  text: proseRow,
  reasoning: proseRow,
  tool: (part, { tools, place }) => tools.events(part, place),
  'step-start'(_part, { steps, place }) {
    if (place.agentId === undefined) steps.begin()
    return [{ ...place, type: 'step-start', kind: 'model' }]
  },
  'step-finish'({ reason: said, tokens, cost }, { steps, place }) {
    const reason = said ?? undefined
    if (place.agentId === undefined) steps.end(reason)
    return [...usageEvents(tokens, cost, place), { ...place, type: 'step-end', ...present({ reason }) }]
  },
  file: (part, { place }) => [fileEvent(part, part.id, place)],
  retry: ({ error }, { place }) => [{ ...place, type: 'status', message: errorOf(error).message, level: 'warn' }],
  compaction: (_part, { place }) => [
    { ...place, type: 'status', message: 'The conversation is compacted', level: 'info' },
  ],
  snapshot: dataRow,
  patch: dataRow,
  agent: dataRow,
  subtask: dataRow,
}
const table = new Map(Object.entries(rows)) as ReadonlyMap<string, (part: Part, reading: Reading) => StreamEvent[]>

/** The events of a part, as it stands; `undefined` where its type is unknown. */
export function partEvents(part: Part, reading: Reading): StreamEvent[] | undefined {
  return table.get(part.type)?.(part, reading)
}

function proseRow(part: ProsePart, { told, place, isWhole }: Reading): StreamEvent[] {
  return proseEvents(told, part, place, isWhole || typeof part.time?.end === 'number')
}

function dataRow(part: Part, { place }: Reading): StreamEvent[] {
  const { id, type: name, sessionID: _session, messageID: _message, ...data } = part
  return [{ ...place, type: 'data', name, id, data: data as unknown as JsonObject }]
}
