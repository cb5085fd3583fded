import { describe, expect, it } from 'vitest'
import { cutText } from '../../../test/think-tags.ts'

const TAG = '<think>x</think>'

/** Whether a tag is found after this text, in one chunk and in single characters. */
function isSeenAfter(text: string): boolean {
  const whole = cutText([text + TAG])
  expect(cutText([...(text + TAG)])).toEqual(whole)
  return whole.includes('think: x')
}

describe('X44: a tag in code is ignored', () => {
  it.each([
    ['a fence', '```\n'],
    ['a fence with an info string', '```js title="a"\n'],
    ['a fence after text', 'a\n```\ncode\n'],
    ['a fence of tildes', '~~~\n'],
    ['a fence of tildes with backticks in its info', '~~~ a`b`\n'],
    ['an indented fence', '   ```\n'],
    ['the line of a fence', '```js '],
    ['a longer fence around a shorter', '````\n```\n'],
    ['a fence with one of the other kind in it', '```\n~~~\n'],
    ['a fence whose closer is indented too far', '```\n    ```\n'],
    ['a fence whose closer has words behind it', '```\n``` a\n'],
    ['the line of a closer', '```\n``` '],
    ['a fence with blank lines', '```\n\n\n'],
    ['a fence that follows a thought directly', '<think>y</think>```\n'],
    ['inline code', 'a `'],
    ['inline code at the start of a line', '`a '],
    ['inline code with longer runs in it', '`a``b '],
    ['inline code of two backticks', '`` a`b '],
    ['inline code that looks like a fence', '```a`` '],
    ['a long run in a list item, over lines', '- ```js\n  code\n  '],
    ['a fence that is indented by more than three, over lines', '    ```js\n    '],
  ])('%s', (_name, text) => {
    expect(isSeenAfter(text)).toBe(false)
  })
})

describe('X44: a tag after code is found', () => {
  it.each([
    ['a closed fence', '```\n```\n'],
    ['a fence closed by a longer one', '```\n````\n'],
    ['a fence closed with an indent and blanks', '```\n   ``` \t\r\n'],
    ['a closed fence of tildes', '~~~\n~~~\n'],
    ['inline code', '`a` '],
    ['inline code of two backticks', '``a`b`` '],
    ['inline code at the start of a line that looks like a fence', '```a``` '],
    ['a lone backtick on an earlier line', 'a ` b\n'],
    ['a lone long run before a blank line', 'a ``` b\n \t\r\n'],
    ['two tildes', '~~ '],
    ['tildes within a line', 'a ~~~\n'],
    ['an indent of tildes by more than three', '    ~~~\n'],
    ['spaces', '   '],
    ['a list item with closed code', '- ```js\n  code\n  ```\n'],
  ])('%s', (_name, text) => {
    expect(isSeenAfter(text)).toBe(true)
  })

  it('counts the indent of each line separately', () => {
    expect(isSeenAfter('  \n  ```\n')).toBe(false)
    expect(isSeenAfter('a\n   b\n```\n  \n   ```\n')).toBe(true)
  })
})
