import type { Figure, Row } from '../row.ts'
import { median, type Served, serve as serveTo } from '../serve/children.ts'

const ROUNDS = 3
/** Events that are sent in all, whatever the number of streams. */
const SENT = 100_000
/** How many come together where writes can coalesce. */
const TOGETHER = 64

const rows = { floor: ['floor', 1], shared: ['shared', 1], own: ['own', 1], together: ['own', TOGETHER] } as const

async function figuresOf(wire: string, streams: number): Promise<Figure[]> {
  const results = new Map<string, Served[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [serving, atOnce]] of Object.entries(rows)) {
      const served = await serveTo({ serving, wire, events: SENT / streams }, streams, atOnce)
      results.set(name, [...(results.get(name) ?? []), served])
    }
  }
  const of = (name: keyof typeof rows, what: 'cpu' | 'heap') =>
    median((results.get(name) ?? []).map((served) => served[what]))
  const cpu = (name: keyof typeof rows) => of(name, 'cpu') / of('floor', 'cpu')
  const where = `${wire}, ${streams} streams`
  return [
    { row: '5', what: `${where}, each of its own run, event by event`, value: cpu('own'), bound: 1.2 },
    { row: '5', what: `${where} of one run, event by event`, value: cpu('shared'), bound: 1.2 },
    { row: '5', what: `${where}, each of its own run, ${TOGETHER} events at once`, value: cpu('together'), bound: 0.4 },
    ...(['shared', 'own'] as const).map((name) => ({
      row: '5',
      what: `${where}: heap of an idle connection, ${name === 'own' ? 'each of its own run' : 'all of one run'}`,
      value: of(name, 'heap') / of('floor', 'heap'),
      bound: 1.6,
    })),
    { row: '5', what: `${where}: CPU per event of the floor`, value: of('floor', 'cpu') / SENT, unit: ' µs' },
  ]
}

export const serve: Row = {
  title: 'server-sent events on loopback, CPU of the server (floor: node:http, one write per chunk)',
  run: async () => [
    ...(await figuresOf('native', 100)),
    ...(await figuresOf('native', 1_000)),
    ...(await figuresOf('ai-sdk', 100)),
    ...(await figuresOf('ag-ui', 100)),
  ],
}
