import type { StreamEvent } from '@millrace/core/events'
import { handFold } from '../hand-fold.ts'
import { entriesOf, mixedRun, textRun } from '../streams.ts'
import { type FoldPeer, foldPeers } from './fold-peers.ts'
import { faultUnlessHolding, type Peer, type Trial } from './peer.ts'

interface Size {
  readonly row: string
  readonly name: string
  events(): readonly StreamEvent[]
}

/** What every fold must hold at the end of a run: the last text, the last tool's long argument, the last output. */
function endOf(events: readonly StreamEvent[]): string[] {
  const block = events.findLast((event) => event.type === 'block-start')?.blockId
  const text = events
    .map((event) => (event.type === 'block-delta' && event.blockId === block ? event.text : ''))
    .join('')
  const input = events.findLast((event) => event.type === 'tool-input')?.input as { content: string } | undefined
  const output = events.findLast((event) => event.type === 'tool-output')?.output as string | undefined
  return [text, input?.content, output].filter((expected) => expected !== undefined)
}

function trialOf({ name, protocol, load }: FoldPeer, { row, name: size, events: make }: Size): Trial {
  return {
    row,
    what: `${name}, ${size}`,
    async prepare() {
      const events = make()
      const lines = entriesOf(events).map((entry) => JSON.stringify(entry))
      const theirs = protocol(events).map((chunk) => JSON.stringify(chunk))
      const fold = await load()
      return { floor: () => handFold(lines), peer: () => fold(theirs), fault: faultUnlessHolding(endOf(events)) }
    },
  }
}

const peersOf = (...sizes: readonly Size[]): readonly Peer[] =>
  foldPeers.map((peer) => ({ name: peer.name, trials: sizes.map((size) => trialOf(peer, size)) }))

export const foldText = peersOf(
  { row: '1a', name: '10k', events: () => textRun(10_000) },
  { row: '1a', name: '100k', events: () => textRun(100_000) },
)

export const foldMixed = peersOf(
  { row: '1b', name: '10 steps', events: () => mixedRun(10) },
  { row: '1b', name: '100 steps', events: () => mixedRun(100) },
)

/** No peer has a way for a whole history: it goes through the fold of a live run. */
export const history = peersOf({ row: '8', name: '10 steps, as if live', events: () => mixedRun(10) })
