import type { Mutant, Stage } from './mutant.ts'

const log = 'packages/server/src/log'
const folder = `${log}/postgres`

const mutants: readonly Mutant[] = [
  {
    file: `${folder}/lease.ts`,
    find: 'WHERE NOT ended AND until <= clock_timestamp() AND',
    replace: 'WHERE NOT ended AND',
    promise: 'a sweep takes no live lease',
  },
  {
    file: `${folder}/lease.ts`,
    find: ' AND NOT ended AND until > clock_timestamp() RETURNING id',
    replace: ' RETURNING id',
    promise: 'a buried node is never revived',
  },
  {
    file: `${folder}/runs.ts`,
    find: 'n.id = r.owner AND n.ended)) RETURNING r.*)',
    replace: 'n.id = r.owner)) RETURNING r.*)',
    promise: 'a run is taken only from a node that has ended',
  },
  {
    file: 'packages/server/src/run/attend.ts',
    find: '{ after, isOpen: true }',
    replace: '{ after, isOpen: false }',
    promise: 'a command is taken once',
  },
]

/** Two servers over one database, of which one is killed, paused or cut off. */
export const nodesFaults: Stage = {
  name: 'nodes, faults',
  tests: ['test/faults-nodes.test.ts'],
  only: 'F16 two nodes, woken by Redis',
  timeout: 240_000,
  mutants,
}
