import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** How certain a record of one type is of the format, if its fields fit. */
export interface Sign {
  readonly certainty: number
  fits(value: JsonObject): boolean
}

export const sign = (certainty: number, fits: Sign['fits'] = () => true): Sign => ({ certainty, fits })

/** Recognises a record by the sign of its type. `describe` says what a record of the type is, for people. */
export function bySigns(
  signs: { readonly [type: string]: Sign },
  describe: (type: string) => string,
  typeOf: (value: JsonObject) => unknown = ({ type }) => type,
): (record: RawRecord) => Recognition | undefined {
  return ({ value }) => {
    const type = isJsonObject(value) ? typeOf(value) : undefined
    if (typeof type !== 'string' || !Object.hasOwn(signs, type)) return undefined
    const found = signs[type]
    return found?.fits(value as JsonObject) ? { certainty: found.certainty, reason: describe(type) } : undefined
  }
}
