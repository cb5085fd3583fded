import type { RawRecord } from '../source/source.ts'
import { type Framework, type Parser, type Recognition, unmapped } from './parser.ts'

/** One framework out of several that share a name: the first record that one of them recognises decides. */
export function byShape(candidates: readonly Framework[]): Framework {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return only
  return {
    version: Math.max(...candidates.map((candidate) => candidate.version)),
    losses: {},
    recognize: (record) => surest(candidates, record)?.recognition,
    create() {
      let parser: Parser | undefined
      return {
        push(value, record) {
          parser ??= surest(candidates, record)?.framework.create()
          return parser === undefined ? unmapped(value) : parser.push(value, record)
        },
        end: () => parser?.end() ?? [],
        release: () => parser?.release?.() ?? [],
      }
    },
  }
}

function surest(candidates: readonly Framework[], record: RawRecord) {
  let best: { framework: Framework; recognition: Recognition } | undefined
  for (const framework of candidates) {
    const recognition = framework.recognize(record)
    if (recognition !== undefined && recognition.certainty > (best?.recognition.certainty ?? 0)) {
      best = { framework, recognition }
    }
  }
  return best
}
