import { aliases, allParsers, getParser, type Parser, parsers } from '@millrace/core/parse'
import { getSource, type Source, sources } from '@millrace/core/source'
import { usageError } from './exit.ts'
import type { Input } from './input.ts'

/** The name that asks for detection. */
export const AUTO = 'auto'

export const formatNames: readonly string[] = Object.keys(parsers)
export const aliasNames: readonly string[] = Object.keys(aliases)

/** The hint that lists the values of `--from`, with the formats that were added to this process. */
export const formatHint = () => `Formats: ${[...Object.keys(allParsers()), ...aliasNames].join(', ')}.`

/** The parser of a name or an alias; undefined for `auto`. Throws a usage error if the name is unknown. */
export function parserNamed(name: string): Parser | undefined {
  if (name === AUTO) return undefined
  if (!Object.hasOwn(allParsers(), name) && !aliasNames.includes(name)) {
    throw usageError(`There is no format "${name}" in this version.`, formatHint())
  }
  return getParser(name)
}

/** Framings whose frames are separated by the transport. A file or a pipe is a single frame of them. */
const ONE_FRAME: readonly string[] = ['json-frames']

export const framings: readonly string[] = Object.keys(sources)

/** The source of a framing. Throws a usage error if the framing is unknown. */
export function openSource(framing: string): Source {
  if (!framings.includes(framing)) {
    throw usageError(`There is no framing "${framing}".`, `Framings: ${framings.join(', ')}.`)
  }
  return getSource(framing)()
}

/** The input in the chunks that a framing needs. */
export function framed(input: Input, framing: string): Input {
  if (!ONE_FRAME.includes(framing)) return input
  return {
    ...input,
    async read() {
      const chunks: Uint8Array[] = []
      for (let bytes = await input.read(); bytes !== undefined; bytes = await input.read()) chunks.push(bytes)
      return chunks.length === 0 ? undefined : Buffer.concat(chunks)
    },
  }
}
