import { StreamError } from '../errors.ts'
import { activityRows } from './ag-ui/activities.ts'
import { agentRows } from './ag-ui/agents.ts'
import { approvalRows } from './ag-ui/approvals.ts'
import { blockRows } from './ag-ui/blocks.ts'
import { createAgUiHistory } from './ag-ui/history.ts'
import { createCallParents, createMessages } from './ag-ui/messages.ts'
import { otherRows } from './ag-ui/others.ts'
import { createProfile0 } from './ag-ui/profile-0.ts'
import { runRows } from './ag-ui/run.ts'
import { createStream } from './ag-ui/stream.ts'
import { createTools } from './ag-ui/tools.ts'
import { createUsage } from './ag-ui/usage.ts'
import { createDispatch, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/** AG-UI 1.0, and 0.0.x as a profile. Its clients reconnect by reading a run from its first chunk; none of them supports cursors. */
export const agUi: Wire = {
  losses: {
    messages:
      'A message of the protocol is one text, one thought or one result; metadata says which belong to one turn.',
    'other-roles': 'The client already has the messages of people and would show them twice.',
    retract: 'A message that was sent stays; a custom event names the messages that are void.',
    rewrite: 'Text can only be appended to.',
    control: 'Requests travel the other way.',
  },
  profiles: ['0'],
  headers: {},
  isPause: ({ type }, { event }) => type === 'RUN_FINISHED' && event.type !== 'run-end',
  create(options) {
    const { profile } = options
    if (profile !== undefined && profile !== '0') throw new StreamError('unknown-wire', `ag-ui, profile ${profile}`)
    return profile === undefined ? create(options) : createProfile0(create(options), options.runId)
  },
  createHistory: createAgUiHistory,
}

function create(options: WireOptions): WireState {
  const usage = createUsage()
  const stream = createStream(options, usage)
  const messages = createMessages()
  const parents = createCallParents()
  const tools = createTools(stream, messages, parents)
  const table: Rows = {
    ...runRows(stream, tools.pending),
    ...messages.rows,
    'message-start'(event) {
      usage.nextStep(event.agentId)
      parents.endGroup(event.agentId)
      messages.rows['message-start'](event)
    },
    ...agentRows(stream, usage),
    ...blockRows(stream, messages, parents),
    ...tools.rows,
    ...approvalRows(stream),
    ...activityRows(stream, messages),
    usage: (event) => stream.emit(usage.add(event)),
    ...otherRows(stream, messages),
  }
  const dispatch = createDispatch(table)
  return {
    push({ event }) {
      dispatch(event)
      return stream.take()
    },
  }
}
