import type { AgentHost, ApprovalAnswer } from '@millrace/core/agent'
import type { Entry, EventOf, StreamEvent } from '@millrace/core/events'
import { type ChatEvent, createFold } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'

/** A call of the model that has no output. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly runBy: EventOf<'tool-start'>['runBy']
  /** Undefined if it is not JSON. */
  readonly input: Json | undefined
  readonly question: Question | undefined
  /** An earlier attempt of the run has begun it: whether it had an effect is not certain. */
  readonly isInterrupted: boolean
}

/** What a person was asked about a call. */
export interface Question {
  readonly approvalId: string
  readonly message: string | undefined
  /** Undefined while nobody has answered. */
  readonly answer: ApprovalAnswer | undefined
}

/** How far a run is: only what the log says, so that another process goes on from the same. */
export interface RunState {
  /** Takes what was logged since the last time. */
  read(host: Pick<AgentHost, 'entries'>): Promise<void>
  chatEvents(): readonly ChatEvent[]
  /** In the order in which the model made them. */
  openCalls(): readonly OpenCall[]
  /** How many requests the model has answered, or begun to. */
  steps(): number
  /** Whether the model has not seen all of it: nothing yet, an output, an answer, or what a person said. */
  isRequestDue(): boolean
}

type Draft = { -readonly [Field in keyof OpenCall]: OpenCall[Field] }

/** Why a model stops that wants to be asked again for the rest. */
const PAUSED: ReadonlySet<string | undefined> = new Set(['pause_turn'])

export function createRunState(runId: string): RunState {
  const fold = createFold({ runId })
  const calls = new Map<string, Draft>()
  let seq = 0
  let steps = 0
  let isDue = true

  const rows: { readonly [type: string]: ((event: never) => void) | undefined } = {
    'step-start'({ kind }: EventOf<'step-start'>) {
      if (kind !== 'model') return
      steps++
      isDue = false
    },
    'step-end'({ reason }: EventOf<'step-end'>) {
      isDue ||= PAUSED.has(reason)
    },
    'message-start'({ role }: EventOf<'message-start'>) {
      isDue ||= role === 'user'
    },
    'tool-start'({ callId, name, runBy }: EventOf<'tool-start'>) {
      calls.set(callId, { callId, name, runBy, input: undefined, question: undefined, isInterrupted: false })
    },
    'tool-input'({ callId, input }: EventOf<'tool-input'>) {
      const call = calls.get(callId)
      if (call !== undefined) call.input = input
    },
    'tool-output'({ callId }: EventOf<'tool-output'>) {
      isDue ||= calls.get(callId)?.runBy !== 'provider'
      calls.delete(callId)
    },
    approval: noteApproval,
    control({ action }: EventOf<'control'>) {
      if (action === 'resume') noteResume()
    },
  }

  function noteApproval(event: EventOf<'approval'>): void {
    const call = calls.get(event.callId ?? '')
    if (call === undefined) return
    const answer = answerIn(event)
    const { approvalId, message } = answer === undefined ? event : (call.question ?? event)
    call.question = { approvalId, message, answer }
    // The provider runs the call, once it hears of the answer.
    isDue ||= answer !== undefined && call.runBy === 'provider'
  }

  /** Only a call whose question is open had not begun. */
  function noteResume(): void {
    for (const call of calls.values()) {
      const isWaiting = call.question !== undefined && call.question.answer === undefined
      call.isInterrupted ||= !isWaiting
    }
  }

  function note({ event }: Entry): void {
    // What a subagent does is not the model's.
    if (event.agentId === undefined) rows[event.type]?.(event as never)
  }

  return {
    async read(host) {
      for await (const entries of host.entries(seq)) {
        fold.push(entries)
        for (const entry of entries) note(entry)
        seq = entries.at(-1)?.seq ?? seq
      }
    },
    chatEvents: () => fold.snapshot().chatEvents,
    openCalls: () => [...calls.values()],
    steps: () => steps,
    isRequestDue: () => isDue,
  }
}

function answerIn({ state, message, answer, remember, input }: Extract<StreamEvent, { type: 'approval' }>) {
  if (state === 'requested') return undefined
  const fields = { message, answer, remember, input }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { state, ...Object.fromEntries(given) } as ApprovalAnswer
}
