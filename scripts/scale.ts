// Loads one node and two nodes over PostgreSQL and Redis, and writes the figures into docs/scale.md. Exits with 1 if a
// viewer did not get exactly its run. With --small it only tries the rig, and writes nothing.

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '@millrace/testkit/repository/servers/postgres'
import { startRedis } from '@millrace/testkit/repository/servers/redis'
import { startNode } from '../proofs/scale/cluster.ts'
import { loads, smallLoads } from '../proofs/scale/loads.ts'
import { type Figures, measured } from '../proofs/scale/measure.ts'
import { pageWith, rowOf } from '../proofs/scale/report.ts'

const PAGE = fileURLToPath(new URL('../docs/scale.md', import.meta.url))

const { values } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const figures: Figures[] = []

await using database = await startPostgres()
await using redis = await startRedis()
for (const [nth, load] of (values.small ? smallLoads : loads).entries()) {
  for (const count of [1, 2]) {
    // Fresh processes: the memory of one load is not that of the next.
    const url = await database.createDatabase()
    const nodes = await Promise.all(Array.from({ length: count }, () => startNode(url, redis.url)))
    const found = await measured(load, nodes, `load-${nth}`)
    await Promise.all(nodes.map((node) => node.stop()))
    figures.push(found)
    console.log(rowOf(found))
    for (const problem of found.problems.slice(0, 5)) console.log(`  ${problem}`)
  }
}

const machine = `Measured on ${availableParallelism()} cores that PostgreSQL, Redis, the nodes and all clients share.`
if (!values.small) writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), figures, machine))
process.exitCode = figures.some(({ problems }) => problems.length > 0) ? 1 : 0
