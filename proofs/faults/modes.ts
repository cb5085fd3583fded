import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { redisAbsence } from '@millrace/testkit/repository/servers/redis'
import { agentFaults } from './agents/index.ts'
import { commandsOverPostgres } from './commands.ts'
import type { Fault } from './fault.ts'
import { faults } from './index.ts'
import { killOverPostgres } from './kill.ts'
import { nodeFaults } from './nodes/index.ts'

/** The faults that are tried together, and the section of the report that they write. */
export interface Mode {
  readonly heading: string
  /** What they are tried on, for the report. */
  readonly setting: string
  readonly faults: readonly Fault[]
  /** Why they cannot be tried here; undefined if they can. */
  readonly absence: string | undefined
}

/** In the order of the report. */
export const modes = {
  folder: {
    heading: 'One server with its log on disk',
    setting:
      'A kill of the process does not simulate a loss of power: for that the log relies on SQLite with `synchronous = FULL`.',
    faults,
    absence: undefined,
  },
  postgres: {
    heading: 'One server over PostgreSQL',
    setting: 'A PostgreSQL whose commits wait for the disk; a lease of 1 s.',
    faults: [killOverPostgres, commandsOverPostgres],
    absence: postgresAbsence,
  },
  agents: {
    heading: 'Programs as agents',
    setting: 'The real server with scripted programs in `agents/`, which are found afterwards by what they inherit.',
    faults: agentFaults,
    absence: process.platform === 'linux' ? undefined : 'what is left of a program is found by /proc',
  },
  nodes: {
    heading: 'Two servers over one PostgreSQL',
    setting:
      'Each round one thing goes wrong, chosen by the seed. The servers reach the database through gates that can be held or cut; a lease lasts 1 s.',
    faults: nodeFaults,
    absence: postgresAbsence ?? redisAbsence,
  },
} as const satisfies { readonly [name: string]: Mode }
