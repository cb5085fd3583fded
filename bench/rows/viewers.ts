import type { Figure, Row } from '../row.ts'
import { median, type Served, serve } from '../serve/children.ts'
import { entriesOf, textRun } from '../streams.ts'

const ROUNDS = 3
const WIRES = ['native', 'ai-sdk', 'ag-ui']

/** How many watch, and how many events they are sent: few viewers need many, or there is nothing to measure. */
const CROWDS = [
  { viewers: 1, events: 30_000 },
  { viewers: 10, events: 10_000 },
  { viewers: 100, events: 2_000 },
  { viewers: 1_000, events: 300 },
]

/** Of one event to one viewer, in microseconds; the calls are those of a wire state, per entry. */
interface Cost {
  readonly all: number
  readonly formatting: number
  readonly calls: number
}

async function costOf(wire: string, { viewers, events }: (typeof CROWDS)[number]): Promise<Cost> {
  const rounds: Served[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await serve({ serving: 'counted', wire, events }, viewers, 1))
  }
  const entries = entriesOf(textRun(events)).length
  return {
    all: median(rounds.map(({ cpu }) => cpu / entries / viewers)),
    formatting: median(rounds.map(({ formatted }) => formatted.time / entries / viewers)),
    // The worst: it must be so each time.
    calls: Math.max(...rounds.map(({ formatted }) => formatted.calls / entries)),
  }
}

async function figuresOf(wire: string): Promise<Figure[]> {
  const figures: Figure[] = []
  let alone: Cost | undefined
  for (const crowd of CROWDS) {
    const cost = await costOf(wire, crowd)
    alone ??= cost
    const where = `${wire}, ${crowd.viewers} ${crowd.viewers === 1 ? 'viewer' : 'viewers'}`
    const add = (what: string, figure: Pick<Figure, 'value' | 'unit' | 'bound' | 'isHard'>) =>
      figures.push({ row: '9', what: `${where}: ${what}`, ...figure })
    add('formatting, per event and viewer', { value: cost.formatting, unit: ' µs' })
    add('all the rest, per event and viewer', { value: cost.all - cost.formatting, unit: ' µs' })
    add('calls of the wire state per entry', { value: cost.calls, bound: 1, isHard: true })
    if (cost !== alone)
      add('per event and viewer, to one alone', { value: cost.all / alone.all, bound: 1, isHard: true })
  }
  return figures
}

/** One run, however many watch it: what is the same for all is done once. */
export const viewers: Row = {
  title: 'viewers of one live run on loopback, CPU of the server',
  async run() {
    const figures: Figure[] = []
    for (const wire of WIRES) figures.push(...(await figuresOf(wire)))
    return figures
  },
}
