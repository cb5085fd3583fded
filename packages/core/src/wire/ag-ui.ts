import { activityRows } from './ag-ui/activities.ts'
import { agentRows } from './ag-ui/agents.ts'
import { approvalRows } from './ag-ui/approvals.ts'
import { blockRows } from './ag-ui/blocks.ts'
import { otherRows } from './ag-ui/others.ts'
import { createParents } from './ag-ui/parents.ts'
import { runRows } from './ag-ui/run.ts'
import { createSpeakers } from './ag-ui/speakers.ts'
import { createStream } from './ag-ui/stream.ts'
import { createTools } from './ag-ui/tools.ts'
import { createUsage } from './ag-ui/usage.ts'
import { byRows, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/** AG-UI 1.0. Its clients come back by reading a run from its first chunk; none of them knows cursors. */
export const agUi: Wire = {
  losses: {
    messages: 'A message there is one text, one thought or one result; which of them are one turn is told beside.',
    'other-roles': 'The client holds what people said, and would show it twice.',
    retract: 'A message that was sent stays; which are void is told in an event of our own.',
    rewrite: 'Text can only be appended to.',
    control: 'Requests travel the other way.',
  },
  profiles: [],
  headers: {},
  isPause: ({ type }, { event }) => type === 'RUN_FINISHED' && event.type !== 'run-end',
  create,
}

function create(options: WireOptions): WireState {
  const usage = createUsage()
  const stream = createStream(options, usage)
  const speakers = createSpeakers()
  const parents = createParents()
  const tools = createTools(stream, speakers, parents)
  const table: Rows = {
    ...runRows(stream, tools.pending),
    ...speakers.rows,
    'message-start'(event) {
      usage.nextStep(event.agentId)
      parents.part(event.agentId)
      speakers.rows['message-start'](event)
    },
    ...agentRows(stream, usage),
    ...blockRows(stream, speakers, parents),
    ...tools.rows,
    ...approvalRows(stream),
    ...activityRows(stream, speakers),
    usage: (event) => stream.emit(usage.add(event)),
    ...otherRows(stream, speakers),
  }
  const tell = byRows(table)
  return {
    push({ event }) {
      tell(event)
      return stream.take()
    },
  }
}
