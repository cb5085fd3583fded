import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

const aboutInteraction = sign(1, ({ interaction }) => isJsonObject(interaction))
const ofStep = sign(0.95, ({ index }) => typeof index === 'number')

const recognizeEvent = bySigns(
  {
    'interaction.created': aboutInteraction,
    'interaction.completed': aboutInteraction,
    'interaction.status_update': sign(1, ({ status }) => typeof status === 'string'),
    'step.start': ofStep,
    'step.delta': ofStep,
    'step.stop': ofStep,
    'content.start': ofStep,
    error: sign(0.6, ({ error }) => isJsonObject(error)),
  },
  (type) => `a record is a Gemini ${type} event`,
  ({ event_type }) => (typeof event_type === 'string' ? typeOf(event_type) : undefined),
)

/** The types of the first releases. */
const oldTypes: ReadonlyMap<string, string> = new Map([
  ['interaction.start', 'interaction.created'],
  ['content.delta', 'step.delta'],
  ['content.stop', 'step.stop'],
  ['interaction.complete', 'interaction.completed'],
])

export function typeOf(eventType: string): string {
  return oldTypes.get(eventType) ?? eventType
}

/** Whether a value is a whole interaction, which was not streamed. */
export function isInteraction(value: JsonObject): boolean {
  return value.object === 'interaction' && typeof value.status === 'string' && value.event_type === undefined
}

export function recognize(record: RawRecord): Recognition | undefined {
  const isWhole = isJsonObject(record.value) && isInteraction(record.value)
  return isWhole ? { certainty: 0.95, reason: 'a record is a Gemini interaction' } : recognizeEvent(record)
}
