import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { type NamedRecord, unwrap } from './envelope.ts'

type Sign = { readonly certainty: number; readonly fits: (body: { readonly [field: string]: unknown }) => boolean }

const hasIndex: Sign['fits'] = ({ contentBlockIndex }) => typeof contentBlockIndex === 'number'

const signs: { readonly [Name in NamedRecord['name']]: Sign } = {
  messageStart: { certainty: 0.95, fits: ({ role }) => typeof role === 'string' },
  contentBlockStart: { certainty: 1, fits: hasIndex },
  contentBlockDelta: { certainty: 1, fits: (body) => hasIndex(body) && isJsonObject(body.delta) },
  contentBlockStop: { certainty: 1, fits: hasIndex },
  messageStop: { certainty: 0.9, fits: ({ stopReason }) => typeof stopReason === 'string' },
  metadata: { certainty: 0.7, fits: ({ usage }) => isJsonObject(usage) && typeof usage.inputTokens === 'number' },
  failure: { certainty: 0.6, fits: () => true },
  response: { certainty: 0.9, fits: ({ stopReason, usage }) => typeof stopReason === 'string' && isJsonObject(usage) },
}

export function recognize({ value, name }: RawRecord): Recognition | undefined {
  const record = unwrap(value, name)
  if (record === undefined) return undefined
  const sign = signs[record.name]
  if (!isJsonObject(record.body) || !sign.fits(record.body)) return undefined
  return { certainty: sign.certainty, reason: `a record is a Bedrock ${record.failure ?? record.name}` }
}
