import { createHandJson } from '../hand-json.ts'
import { piecesOf, toolArguments } from '../streams.ts'
import { loadPeer } from './packages.ts'
import type { Peer, Trial } from './peer.ts'
import { lastOf } from './web-streams.ts'

/** Reads pieces of JSON, has a value after each and gives the last. */
type ReadPieces = (pieces: readonly string[]) => unknown

interface ArgumentsPeer {
  readonly name: string
  load(): Promise<ReadPieces>
}

/** A parser that starts over with every piece: its time grows with the square of its input. */
function parsingAgain(parse: (text: string) => unknown): ReadPieces {
  return async (pieces) => {
    let text = ''
    let value: unknown
    for (const piece of pieces) {
      text += piece
      value = await parse(text)
    }
    return value
  }
}

interface StreamParser {
  readonly JSONParser: new (options: {
    emitPartialTokens: boolean
    emitPartialValues: boolean
    paths: readonly string[]
  }) => { onValue: (element: { value: unknown }) => void; write(text: string): void }
}

async function* each(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

const peers: readonly ArgumentsPeer[] = [
  {
    name: '@streamparser/json',
    async load() {
      const { JSONParser } = await loadPeer<StreamParser>('@streamparser/json')
      return (pieces) => {
        let last: unknown
        const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true, paths: ['$'] })
        parser.onValue = ({ value }) => {
          last = value
        }
        for (const piece of pieces) parser.write(piece)
        return last
      }
    },
  },
  {
    name: 'jsonriver',
    async load() {
      const { parse } = await loadPeer<{ parse(text: AsyncIterable<string>): AsyncIterable<unknown> }>('jsonriver')
      return (pieces) => lastOf(parse(each(pieces)))
    },
  },
  {
    name: 'partial-json (parses all again)',
    async load() {
      const { parse } = await loadPeer<{ parse(text: string): unknown }>('partial-json')
      return parsingAgain(parse)
    },
  },
  {
    name: 'ai parsePartialJson (parses all again)',
    async load() {
      const { parsePartialJson } = await loadPeer<{ parsePartialJson(text: string): Promise<{ value: unknown }> }>('ai')
      return parsingAgain(async (text) => (await parsePartialJson(text)).value)
    },
  },
]

function trialOf({ name, load }: ArgumentsPeer, size: number): Trial {
  return {
    row: '2',
    what: `${name}, ${size / 1000} KB`,
    async prepare() {
      const text = toolArguments(size)
      const pieces = piecesOf(text, 20)
      const read = await load()
      return {
        floor() {
          const parser = createHandJson()
          let value: unknown
          for (const piece of pieces) value = parser.push(piece)
          return value
        },
        peer: () => read(pieces),
        fault: (result) => (JSON.stringify(result) === text ? undefined : 'its last value is not the whole input'),
      }
    },
  }
}

export const toolInput: readonly Peer[] = peers.map((peer) => ({
  name: peer.name,
  trials: [trialOf(peer, 20_000), trialOf(peer, 200_000)],
}))
