import { wires } from '@millrace/core/wire'
import { scenarios } from '@millrace/testkit/scenarios'
import { repeatSuite } from '@millrace/testkit/wire-repeat'
import { wireScenarios } from '@millrace/testkit/wire-scenarios'

for (const [name, wire] of Object.entries(wires)) repeatSuite(name, wire, [...scenarios, ...wireScenarios])
