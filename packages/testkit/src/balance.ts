import { type EventOf, type EventType, isStreamEvent, type StreamEvent } from '@millrace/core/events'

interface Block {
  readonly messageId: string | undefined
  readonly agentId: string | undefined
  isOpen: boolean
}

interface Call {
  readonly agentId: string | undefined
  hasInput: boolean
  hasOutput: boolean
}

/**
 * The problems of a whole stream of events, by the rules of the vocabulary. Written independently of `normalize`, which
 * enforces these rules: neither imports the other.
 */
export function problemsOf(events: readonly StreamEvent[]): string[] {
  const problems: string[] = []
  const messages = new Map<string, { readonly agentId: string | undefined; isOpen: boolean }>()
  const blocks = new Map<string, Block>()
  const calls = new Map<string, Call>()
  /** By the id of an open approval, the call of the question. */
  const approvals = new Map<string, string | undefined>()
  const askedIds = new Set<string>()
  const steps = new Set<string>()
  const agents = new Map<string, { isOpen: boolean }>()
  let position = 0

  function claim(isTrue: boolean, problem: string): void {
    if (!isTrue) problems.push(`event ${position}: ${problem}`)
  }

  /** An event that the main agent draws is in an open message: the one that it names, or any. */
  function drawn({ type, agentId, messageId }: StreamEvent): void {
    if (agentId !== undefined) return
    const isOpen = [...messages].some(
      ([id, message]) => message.isOpen && message.agentId === undefined && (messageId ?? id) === id,
    )
    claim(isOpen, `${type} outside an open message${messageId === undefined ? '' : ` (${messageId})`}`)
  }

  /** The call of an event, which has started and has no output yet. */
  function callOf(event: EventOf<'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>): Call {
    const call = calls.get(event.callId)
    claim(call !== undefined, `${event.type} of a call that has not started (${event.callId})`)
    claim(call?.hasOutput !== true, `${event.type} after the output (${event.callId})`)
    return call ?? { agentId: event.agentId, hasInput: true, hasOutput: false }
  }

  /** A call does not end while a question about it is open. */
  function notAsking({ callId }: EventOf<'tool-output'>): void {
    for (const [id, asking] of approvals) claim(asking !== callId, `output while approval ${id} is open (${callId})`)
  }

  /** An agent that asks has ended its text, and so has the agent of the call that it asks about. */
  function notSpeaking({ approvalId, agentId, callId }: EventOf<'approval'>): void {
    const asking = [agentId, ...(callId === undefined ? [] : [calls.get(callId)?.agentId])]
    for (const [id, block] of blocks)
      claim(!block.isOpen || !asking.includes(block.agentId), `block ${id} is open while ${approvalId} is asked`)
  }

  function openBlock(event: EventOf<'block-delta' | 'block-end'>): Block | undefined {
    const block = blocks.get(event.blockId)
    claim(block?.isOpen === true, `${event.type} outside its block (${event.blockId})`)
    return block
  }

  const rows: { readonly [Type in EventType]: (event: EventOf<Type>) => void } = {
    'run-start': () => claim(position === 0, 'a second run-start'),
    'run-end': () => claim(position === events.length - 1, 'run-end before the end'),
    'message-start'({ messageId, agentId }) {
      claim(!messages.has(messageId), `message id used twice (${messageId})`)
      messages.set(messageId, { agentId, isOpen: true })
    },
    'message-end'({ messageId }) {
      const message = messages.get(messageId)
      claim(message?.isOpen === true, `message-end of a message that is not open (${messageId})`)
      if (message !== undefined) message.isOpen = false
      for (const [id, block] of blocks) {
        const isIn = block.messageId === messageId && block.agentId === message?.agentId
        if (isIn) claim(!block.isOpen, `block ${id} outlives its message`)
      }
    },
    'message-retract': () => {},
    'step-start'({ agentId }) {
      claim(!steps.has(agentId ?? ''), 'a step inside a step of the same agent')
      steps.add(agentId ?? '')
    },
    'step-end': ({ agentId }) => claim(steps.delete(agentId ?? ''), 'step-end without its start'),
    'block-start'(event) {
      drawn(event)
      claim(!blocks.has(event.blockId), `block id used twice (${event.blockId})`)
      blocks.set(event.blockId, { messageId: event.messageId, agentId: event.agentId, isOpen: true })
    },
    'block-delta': openBlock,
    'block-patch': ({ blockId }) => claim(blocks.has(blockId), `patch of a block that has not started (${blockId})`),
    'block-end'(event) {
      const block = openBlock(event)
      if (block !== undefined) block.isOpen = false
    },
    'tool-start'(event) {
      drawn(event)
      claim(!calls.has(event.callId), `call id used twice (${event.callId})`)
      calls.set(event.callId, { agentId: event.agentId, hasInput: false, hasOutput: false })
    },
    'tool-input-delta'(event) {
      claim(!callOf(event).hasInput, `input continues after it was complete (${event.callId})`)
    },
    'tool-input'(event) {
      const call = callOf(event)
      claim(!call.hasInput, `a second input (${event.callId})`)
      claim(event.input !== undefined || event.text !== undefined, `an empty input (${event.callId})`)
      call.hasInput = true
    },
    approval(event) {
      const { approvalId, callId, state } = event
      // An answer is shown at its question.
      if (callId === undefined && state === 'requested') drawn(event)
      if (callId !== undefined) claim(calls.has(callId), `approval of a call that has not started (${callId})`)
      if (state !== 'requested') claim(approvals.delete(approvalId), `answer without a request (${approvalId})`)
      else {
        claim(!askedIds.has(approvalId), `approval asked for twice (${approvalId})`)
        askedIds.add(approvalId)
        notSpeaking(event)
        approvals.set(approvalId, callId)
      }
    },
    'tool-progress'(event) {
      claim(callOf(event).hasInput, `progress before the input (${event.callId})`)
    },
    'tool-output'(event) {
      const call = callOf(event)
      notAsking(event)
      claim(call.hasInput, `output before the input (${event.callId})`)
      call.hasOutput = true
    },
    source: drawn,
    file: drawn,
    todos: drawn,
    'subagent-start'(event) {
      const { agentId, parentAgentId } = event
      claim(!agents.has(agentId), `subagent started twice (${agentId})`)
      if (parentAgentId === undefined) drawn({ ...event, agentId: undefined } as never)
      else claim(agents.has(parentAgentId), `subagent of a parent that has not started (${parentAgentId})`)
      agents.set(agentId, { isOpen: true })
    },
    'subagent-end'({ agentId }) {
      const agent = agents.get(agentId)
      claim(agent?.isOpen === true, `subagent-end of a subagent that does not run (${agentId})`)
      if (agent !== undefined) agent.isOpen = false
    },
    status: drawn,
    usage: () => {},
    state: () => {},
    data: drawn,
    metadata: () => {},
    control: () => {},
    error: drawn,
    raw: () => {},
  }

  function checkEnd(last: StreamEvent | undefined): void {
    claim(events[0]?.type === 'run-start', 'no run-start')
    claim(last?.type === 'run-end', 'no run-end')
    for (const [id, { isOpen }] of messages) claim(!isOpen, `message ${id} is open at the end`)
    for (const [id, { isOpen }] of blocks) claim(!isOpen, `block ${id} is open at the end`)
    for (const [id, { isOpen }] of agents) claim(!isOpen, `subagent ${id} is open at the end`)
    for (const agent of steps) claim(false, `a step of ${agent || 'the main agent'} is open at the end`)
    for (const [id, call] of calls) claim(call.hasInput, `call ${id} has no input`)
    const isOpen =
      [...calls.values()].some(({ hasOutput }) => !hasOutput) || [...approvals.values()].includes(undefined)
    if (last?.type === 'run-end' && last.outcome === 'awaiting-input') {
      claim(isOpen || askedIds.size === 0, 'it awaits input, and every question is settled')
      return
    }
    for (const [id, call] of calls) claim(call.hasOutput, `call ${id} has no output`)
    for (const id of approvals.keys()) claim(false, `approval ${id} has no answer`)
  }

  const table = new Map(Object.entries(rows)) as Map<string, (event: StreamEvent) => void>
  for (const event of events) {
    claim(isStreamEvent(event), `not well-shaped: ${JSON.stringify(event)}`)
    const isNamed = event.agentId === undefined || event.type === 'subagent-start' || agents.has(event.agentId)
    claim(isNamed, `${event.type} of a subagent that has not started (${event.agentId})`)
    table.get(event.type)?.(event)
    position++
  }
  checkEnd(events.at(-1))
  return problems
}
