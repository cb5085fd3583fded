import { wires } from '@millrace/core/wire'
import { generatedSuite } from '@millrace/testkit/wire-suite'
import { wireFacts } from '../proofs/wires/facts.ts'

/** How many runs each wire sends. */
const RUNS = 150

for (const [name, wire] of Object.entries(wires)) {
  const facts = wireFacts[name]
  if (facts === undefined) throw new Error(`proofs/wires/facts/${name}.ts is missing.`)
  generatedSuite(name, wire, facts, RUNS)
}
