import { wires } from '@millrace/core/wire'
import { repeatableScenarios, repeatSuite } from '@millrace/testkit/wire-suite'

for (const [name, wire] of Object.entries(wires)) repeatSuite(name, wire, repeatableScenarios)
