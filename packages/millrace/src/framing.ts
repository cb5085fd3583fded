import { getSource, sources } from '@millrace/core/source'
import type { Source } from '@millrace/core/source/source'
import { usageError } from './exit.ts'
import type { Input } from './input.ts'

/** Framings that rely on a transport to keep frames apart. Bytes on their own are a single frame of them. */
const ONE_FRAME: readonly string[] = ['json-frames']

export const framings: readonly string[] = Object.keys(sources)

/** The source of a framing. Throws a usage error for a framing that is not there. */
export function openSource(framing: string): Source {
  if (!framings.includes(framing)) {
    throw usageError(`There is no framing "${framing}".`, `Framings: ${framings.join(', ')}.`)
  }
  return getSource(framing)()
}

/** The input in the pieces that a framing needs. */
export function framed(input: Input, framing: string): Input {
  if (!ONE_FRAME.includes(framing)) return input
  return {
    ...input,
    async read() {
      const pieces: Uint8Array[] = []
      for (let bytes = await input.read(); bytes !== undefined; bytes = await input.read()) pieces.push(bytes)
      return pieces.length === 0 ? undefined : Buffer.concat(pieces)
    },
  }
}
