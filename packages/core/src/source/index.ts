import { StreamError } from '../errors.ts'
import { jsonArray } from './json-array.ts'
import { jsonFrames } from './json-frames.ts'
import { jsonLines } from './json-lines.ts'
import { sniff } from './sniff.ts'
import type { CreateSource } from './source.ts'
import { sse } from './sse.ts'
import { withWeightLimit } from './weight.ts'

/** The framings: how raw records are laid out in bytes. `auto` detects the framing from the first bytes. */
export const sources = {
  sse,
  'json-lines': jsonLines,
  'json-array': jsonArray,
  'json-frames': jsonFrames,
  auto: sniff,
} as const satisfies { readonly [framing: string]: CreateSource }

export type Framing = keyof typeof sources

export function getSource(framing: string): CreateSource {
  if (!Object.hasOwn(sources, framing)) throw new StreamError('unknown-framing', framing)
  return withWeightLimit(sources[framing as Framing])
}
