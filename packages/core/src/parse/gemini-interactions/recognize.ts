import type { RawRecord } from '../../source/source.ts'
import { isObject } from '../gemini/chunk.ts'
import type { Recognition } from '../parser.ts'
import { isInteraction } from './events.ts'

type Fields = { readonly [field: string]: unknown }

interface Sign {
  readonly certainty: number
  readonly fits: (value: Fields) => boolean
}

const aboutInteraction: Sign = { certainty: 1, fits: ({ interaction }) => isObject(interaction) }
const ofStep: Sign = { certainty: 0.95, fits: ({ index }) => typeof index === 'number' }

/** How much each name says, and what must be beside it. */
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
  error: { certainty: 0.6, fits: ({ error }) => isObject(error) },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isObject(value)) return undefined
  if (isInteraction(value)) return { certainty: 0.95, reason: 'a record is a Gemini interaction' }
  const name = value.event_type
  const sign = typeof name === 'string' && Object.hasOwn(signs, name) ? signs[name] : undefined
  return sign?.fits(value) ? { certainty: sign.certainty, reason: `a record is a Gemini ${name} event` } : undefined
}
