import { expect, it } from 'vitest'
import { concreteType } from './image-type.ts'

it.each([
  ['image/*', 'iVBORw0KGgoAAA', 'image/png'],
  ['application/octet-stream', '/9j/4AAQ', 'image/jpeg'],
  ['', 'R0lGODlh', 'image/gif'],
  ['image/*', 'UklGRiQA', 'image/webp'],
  ['image/*', 'PHN2Zz4=', 'image/*'],
  ['audio/*', 'AAAA', 'audio/*'],
  // A stated type is kept, whatever the bytes are.
  ['text/plain', 'iVBORw0KGgoAAA', 'text/plain'],
])('a file of type %j with the bytes %j is %j', (mediaType, base64, type) => {
  expect(concreteType(mediaType, base64)).toBe(type)
})
