import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { classOf } from './classes.ts'

export function recognize({ value }: RawRecord): Recognition | undefined {
  const found = classOf(value)
  return found && { certainty: found.certainty, reason: `a record is a ${found.name} of smolagents` }
}
