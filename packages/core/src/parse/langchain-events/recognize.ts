import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { isEvent } from './raw.ts'

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isEvent(value)) return undefined
  const isWhole = typeof value.run_id === 'string' && value.data !== undefined
  return { certainty: isWhole ? 1 : 0.6, reason: `a LangChain event "${value.event}"` }
}
