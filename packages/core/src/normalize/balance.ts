import type { Outcome } from '../event-fields.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import { isText } from '../json.ts'
import { createAgentIds } from './balance/agent-ids.ts'
import { createBlocks } from './balance/blocks.ts'
import { type Calls, createCalls } from './balance/calls.ts'
import { createMessageScopes, type MessageScopes } from './balance/message-scopes.ts'
import type { CreatePass } from './pass.ts'

/** Events that do not require their subagent to have started before them. */
const WITHOUT_AGENT: ReadonlySet<EventType> = new Set(['run-start', 'run-end', 'subagent-start', 'subagent-end'])

/** Whether a run that ended without an error awaits input is decided here, by what is open, for every format. */
function outcomeOf(outcome: Outcome, calls: Calls): Outcome {
  if (outcome === 'success' && calls.isAwaiting()) return 'awaiting-input'
  return outcome === 'awaiting-input' && calls.isSettled() ? 'success' : outcome
}

/** The start and the end of a run belong to no agent, whichever agent reports them. */
function withoutAgent<Event extends StreamEvent>({ agentId: _agentId, ...event }: Event): Omit<Event, 'agentId'> {
  return event
}

/**
 * Always the last pass: its output is well-formed for any input. One `run-start`, first; one `run-end`, last; nothing
 * drawn outside a message; every delta between its start and its end; every call with one input and at most one output;
 * nothing open at the end except what awaits an answer.
 */
export const balance: CreatePass = (emit) => {
  let isStarted = false
  let runEnd: EventOf<'run-end'> | undefined
  /** Agents with an open step; the main agent is the empty string. */
  const steps = new Set<string>()
  const blocks = createBlocks(emit, () => scopes)
  const scopes: MessageScopes = createMessageScopes(emit, blocks)
  const calls = createCalls(emit, scopes, blocks)
  const agentIds = createAgentIds()

  function startRun(event: EventOf<'run-start'>): void {
    if (!isStarted) {
      isStarted = true
      const { callIds } = event.meta?.millrace ?? {}
      if (Array.isArray(callIds)) calls.reserve(callIds.filter(isText))
      emit(event)
      return
    }
    const { agent, model } = event
    const metadata = { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) }
    if (agent !== undefined || model !== undefined) emit({ type: 'metadata', metadata })
  }

  function endStep(agent: string, event: EventOf<'step-end'>): void {
    if (steps.delete(agent)) emit(event)
  }

  function draw(event: StreamEvent): void {
    scopes.ensure(event)
    emit(scopes.withMessageId(calls.withCallIds(event)))
  }

  const rows: { readonly [Type in EventType]: (event: EventOf<Type>) => void } = {
    'run-start': (event) => startRun(withoutAgent(event)),
    'run-end'(event) {
      runEnd = withoutAgent(event)
    },
    'message-start'(event) {
      // Within a step, another message is an alternative, not the next turn.
      if (event.role === 'assistant' && !steps.has(event.agentId ?? '')) calls.beginStep(event.agentId)
      scopes.startMessage(event)
    },
    'message-end': scopes.endMessage,
    'message-retract': emit,
    'step-start'(event) {
      const agent = event.agentId ?? ''
      calls.beginStep(event.agentId)
      endStep(agent, { type: 'step-end', ...(event.agentId !== undefined && { agentId: event.agentId }) })
      steps.add(agent)
      emit(event)
    },
    'step-end': (event) => endStep(event.agentId ?? '', event),
    'block-start': blocks.start,
    'block-delta': blocks.delta,
    'block-patch': blocks.patch,
    'block-end': blocks.end,
    'tool-start': calls.start,
    'tool-input-delta': calls.inputDelta,
    'tool-input': calls.input,
    approval: calls.approval,
    'tool-progress': calls.partialOutput,
    'tool-output': calls.output,
    source: draw,
    file: draw,
    todos: draw,
    'subagent-start': (event) => scopes.startAgent(calls.withCallIds(event)),
    'subagent-end'(event) {
      endStep(event.agentId, { type: 'step-end', agentId: event.agentId })
      scopes.endAgent(event)
    },
    status: draw,
    usage: emit,
    state: emit,
    data: draw,
    metadata: emit,
    control: emit,
    error: draw,
    raw: emit,
  }

  function push(incoming: StreamEvent): void {
    const event = agentIds.withAgentIds(incoming)
    if (!isStarted && event.type !== 'run-start') startRun({ type: 'run-start' })
    if (event.agentId !== undefined && !WITHOUT_AGENT.has(event.type)) scopes.ensureAgent(event.agentId)
    rows[event.type](event as never)
  }

  return {
    push,
    end() {
      if (!isStarted) startRun({ type: 'run-start' })
      const stated = runEnd ?? { type: 'run-end', outcome: 'interrupted' }
      const last: EventOf<'run-end'> = { ...stated, outcome: outcomeOf(stated.outcome, calls) }
      const isAwaiting = last.outcome === 'awaiting-input'
      const isCut = last.outcome !== 'success' && !isAwaiting
      if (last.error !== undefined) scopes.ensureAssistant()
      blocks.closeAll()
      calls.closeAll(isAwaiting, isCut)
      for (const agent of [...steps].reverse())
        endStep(agent, { type: 'step-end', ...(agent !== '' && { agentId: agent }) })
      scopes.closeAll(isCut)
      emit(last)
    },
  }
}
