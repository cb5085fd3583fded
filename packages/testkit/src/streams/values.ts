import type { StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { json } from '../any-event.ts'
import type { EventGroup } from '../compose.ts'

export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Hello, ', 'world', ' – ünïcödé 😀 ', '\n\n- item\n', '`code`', '{"a":1}') },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }) },
)

/** An object with the fields of `required`, and of `optional` any. */
export function fields<Required extends object, Optional extends object>(
  required: { readonly [Field in keyof Required]: Arbitrary<Required[Field]> },
  optional: { readonly [Field in keyof Optional]: Arbitrary<Optional[Field]> },
): Arbitrary<Required & Partial<Optional>> {
  const requiredKeys = Object.keys(required) as never[]
  return fc.record({ ...required, ...optional } as never, { requiredKeys, noNullPrototype: true }) as never
}

export const object = fc.dictionary(fc.constantFrom('query', 'path', 'n'), json, { maxKeys: 2, noNullPrototype: true })

export const one = (event: Arbitrary<StreamEvent>): Arbitrary<EventGroup> => event.map((single) => [single])
