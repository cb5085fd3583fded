import type { StreamEvent } from '../../events.ts'
import { understood, unmapped } from '../parser.ts'
import type { Out } from './voice.ts'

/** One function per raw type, which adds the events of a value. It throws, or adds a `raw`, if it does not understand it. */
export type Rows<Raw extends { readonly type: string }> = {
  readonly [Type in Raw['type']]: (out: Out, raw: Extract<Raw, { readonly type: Type }>) => void
}

type AnyRows = { readonly [type: string]: ((out: Out, raw: unknown) => void) | undefined }

/** What every object has: a stream may use `constructor` as a type, and that is no row of a table. */
const inherited = Object.prototype as unknown as AnyRows

/** The events of a value by the row of its type. A type without a row is kept as `raw`. */
export function readRow(rows: object, type: unknown, value: unknown): readonly StreamEvent[] {
  const row = typeof type === 'string' ? (rows as AnyRows)[type] : undefined
  if (row === undefined || row === inherited[type as string]) return unmapped(value)
  const out: Out = []
  row(out, value)
  return understood(out)
}

/** A table from lists of names, separated by spaces, each with the value of its names. */
export function byNames<Value>(rows: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([value, names]) => names.split(' ').map((name) => [name, value] as const)))
}

/** A set of names, separated by spaces. */
export const namesIn = (names: string): ReadonlySet<string> => new Set(names.split(' '))
