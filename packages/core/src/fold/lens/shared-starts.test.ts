import { expect, it } from 'vitest'
import { sharedStart } from './shared-starts.ts'

const event = (inner: string) => `{"type":"stream_event","event":{${inner}}}`
const [start, first, second] = [
  event('"type":"content_block_start","index":2'),
  event('"type":"content_block_delta","index":2,"delta":{"partial_json":"{\\"path\\":"}'),
  event('"type":"content_block_delta","index":2,"delta":{"partial_json":"\\"a.ts\\"}"}'),
]
const rest = (text: string, before?: string, after?: string) => text.slice(sharedStart(text, before, after))

it('cuts the start that a record has from the one before or after it, where a value begins', () => {
  expect(rest(start, undefined, first)).toBe('"content_block_start","index":2}}')
  expect(rest(first, start, second)).toBe('"{\\"path\\":"}}}')
  expect(rest(second, first)).toBe('"\\"a.ts\\"}"}}}')
})

it('leaves a record alone that shares nothing, or too little', () => {
  expect(rest(start)).toBe(start)
  expect(rest('{"type":"a"}', '{"type":"b"}')).toBe('{"type":"a"}')
  expect(rest(start, start)).not.toBe('')
})
