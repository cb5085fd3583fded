import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completed } from './complete.ts'

describe('the tail of a growing text', () => {
  it.each([
    ['The fix is **bold', 'The fix is **bold**'],
    ['The fix is **', 'The fix is'],
    ['The fix is **bold*', 'The fix is **bold**'],
    ['a *soft', 'a *soft*'],
    ['a `code', 'a `code`'],
    ['**bold and `code', '**bold and `code`**'],
    ['~~gone', '~~gone~~'],
    ['see [the guide](https://exa', 'see the guide'],
    ['see [the gui', 'see the gui'],
    ['a picture ![of a', 'a picture '],
    ['a note[^1', 'a note'],
    ['plain text', 'plain text'],
    ['2 * 3 is 6', '2 * 3 is 6'],
  ])('closes open marks: %j', (tail, expected) => {
    expect(completed(tail)).toBe(expected)
  })

  it('leaves out a line that consists of a mark only', () => {
    expect(completed('Title\n-')).toBe('Title\n')
    expect(completed('Title\n==')).toBe('Title\n')
    expect(completed('Some text\n``')).toBe('Some text\n')
    expect(completed('- one\n- [')).toBe('- one\n')
  })

  it('leaves open code unchanged, except for a partial closing fence', () => {
    expect(completed('```ts\nconst a = **b')).toBe('```ts\nconst a = **b')
    expect(completed('```ts\nconst a\n``')).toBe('```ts\nconst a\n')
  })

  it('shows a table once its second row is complete', () => {
    expect(completed('| a | b |')).toBe('')
    expect(completed('| a | b |\n|--')).toBe('')
    expect(completed('| a | b |\n|---|---|\n')).toBe('| a | b |\n|---|---|\n')
  })

  it('accepts any text', () => {
    const marks = fc.array(
      fc.constantFrom('*', '**', '`', '```', '[', '](', ')', '\n', 'a', ' ', '\\', '~~', '_', '|', '!'),
    )
    holds(
      fc.property(marks, (parts) => {
        expect(completed(parts.join(''))).toBeTypeOf('string')
      }),
      500,
    )
  })
})
