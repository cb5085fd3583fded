// The in-memory server of LangGraph (`@langchain/langgraph-api`) with the graph of `graph.mjs`: `node langgraph.mjs` prints its address.

import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@langchain/langgraph-api/server'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
// It keeps its threads in files of the folder that it works in.
process.chdir(mkdtempSync(join(tmpdir(), 'langgraph-')))
const graphs = { agent: `${join(import.meta.dirname, 'graph.mjs')}:graph` }
await startServer({ port, host: '127.0.0.1', nWorkers: 4, cwd: process.cwd(), graphs })
console.log(`http://127.0.0.1:${port}`)
