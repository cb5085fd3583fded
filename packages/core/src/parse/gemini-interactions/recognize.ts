import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

interface Sign {
  readonly certainty: number
  readonly fits: (value: JsonObject) => boolean
}

const aboutInteraction: Sign = { certainty: 1, fits: ({ interaction }) => isJsonObject(interaction) }
const ofStep: Sign = { certainty: 0.95, fits: ({ index }) => typeof index === 'number' }

/** The certainty of each type, and the fields that it must have. */
const signs: { readonly [name: string]: Sign } = {
  'interaction.created': aboutInteraction,
  'interaction.start': aboutInteraction,
  'interaction.completed': aboutInteraction,
  'interaction.complete': aboutInteraction,
  'interaction.status_update': { certainty: 1, fits: ({ status }) => typeof status === 'string' },
  'step.start': ofStep,
  'step.delta': ofStep,
  'step.stop': ofStep,
  'content.start': ofStep,
  'content.delta': ofStep,
  'content.stop': ofStep,
  error: { certainty: 0.6, fits: ({ error }) => isJsonObject(error) },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value)) return undefined
  if (isInteraction(value)) return { certainty: 0.95, reason: 'a record is a Gemini interaction' }
  const name = value.event_type
  const sign = typeof name === 'string' && Object.hasOwn(signs, name) ? signs[name] : undefined
  return sign?.fits(value) ? { certainty: sign.certainty, reason: `a record is a Gemini ${name} event` } : undefined
}

/** Whether a value is a whole interaction, which was not streamed. */
export function isInteraction(value: { readonly [field: string]: unknown }): boolean {
  return value.object === 'interaction' && typeof value.status === 'string' && value.event_type === undefined
}
