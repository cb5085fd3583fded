import { agUi } from '../packages/core/src/format/ag-ui.ts'
import { frameworks } from '../packages/core/src/parse/index.ts'
import { fixturesOf } from '../packages/testkit/src/fixtures.ts'
import { eventsOf } from '../packages/testkit/src/read-recording.ts'
import { entriesOf } from '../packages/testkit/src/runs.ts'
const f = agUi.create({runId:'run',threadId:'thread'})
const [fx] = fixturesOf(process.argv[2]).filter(x=>x.name.includes(process.argv[3]))
for (const e of entriesOf(eventsOf(frameworks[process.argv[2]], fx.records))) { console.log('#', JSON.stringify(e.event).slice(0,150)); for (const c of f.push(e)) console.log('   ', JSON.stringify(c).slice(0,260)) }
