import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const source = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const

/** Every role with its colour in both themes. */
const roles = new Map(
  [...source.matchAll(/--mr-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, role = '', light = '', dark = '']) => [role, { light, dark }],
  ),
)

const WORDS = ['text', 'text-2', 'text-3']
const STATES = ['accent', 'ok', 'warn', 'bad', 'think', 'tool', 'sub']
const CODE = ['code', 'code-keyword', 'code-call', 'code-string', 'code-number', 'code-comment']

/** The text colours and the surfaces they are used on. */
const pairs: readonly (readonly [word: string, surface: string])[] = [
  ...WORDS.flatMap((word) => ['surface', 'sunken', 'fill-1', 'fill-2'].map((surface) => [word, surface] as const)),
  ...STATES.flatMap((word) => ['surface', 'sunken'].map((surface) => [word, surface] as const)),
  ...CODE.map((word) => [word, 'sunken'] as const),
  ...['text', 'text-2', 'warn'].map((word) => [word, 'warn-soft'] as const),
  ...['text', 'text-2', 'bad'].map((word) => [word, 'bad-soft'] as const),
  ...['added', 'removed'].map((surface) => ['code', surface] as const),
  ['ok', 'ok-soft'],
  ['accent', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
]

describe.each(themes)('in the %s theme', (theme) => {
  it.each(pairs)('%s can be read on %s', (word, surface) => {
    expect(ratio(colour(word, theme), colour(surface, theme))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['surface', 'sunken', 'fill-1', 'fill-2'])('the focus ring can be seen on %s', (surface) => {
    expect(ratio(colour('focus', theme), colour(surface, theme))).toBeGreaterThanOrEqual(3)
  })
})

function colour(role: string, theme: (typeof themes)[number]): string {
  const found = roles.get(role)?.[theme]
  if (found === undefined) throw new Error(`tokens.css has no colour for "${role}"`)
  return found
}

function ratio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
