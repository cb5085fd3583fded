import type { RawRecord } from '../source/source.ts'
import { type Parser, type ParserState, type Recognition, unmapped } from './parser.ts'

/** Chooses between parsers that share a name: the first record that one of them recognises decides. */
export function byShape(candidates: readonly Parser[]): Parser {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  return {
    version: Math.max(...candidates.map((candidate) => candidate.version)),
    losses: {},
    recognize: (record) => mostCertain(candidates, record)?.recognition,
    create() {
      let chosen: Parser | undefined
      let parserState: ParserState | undefined
      return {
        get subagents() {
          return chosen?.subagents
        },
        push(value, record) {
          chosen ??= mostCertain(candidates, record)?.parser
          parserState ??= chosen?.create()
          return parserState === undefined ? unmapped(value) : parserState.push(value, record)
        },
        end: () => parserState?.end() ?? [],
        release: () => parserState?.release?.() ?? [],
      }
    },
  }
}

function mostCertain(candidates: readonly Parser[], record: RawRecord) {
  let best: { parser: Parser; recognition: Recognition } | undefined
  for (const parser of candidates) {
    const recognition = parser.recognize(record)
    if (recognition !== undefined && recognition.certainty > (best?.recognition.certainty ?? 0)) {
      best = { parser, recognition }
    }
  }
  return best
}
