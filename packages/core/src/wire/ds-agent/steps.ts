import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { usedAfter } from '../../meaning/usage-total.ts'
import type { Fields } from '../chunk-fields.ts'
import { actionEnd, actionHeader } from './action-step.ts'
import type { AnswerTracker } from './answer.ts'
import type { Step } from './message.ts'
import type { Outbox } from './outbox.ts'
import { planningEnd, planningHeader } from './planning-step.ts'
import { secondsBetween } from './times.ts'

/** The steps of the main agent. The messages of a subagent belong to the step in which it was called. */
export interface Steps {
  /** The open step, or the ended step whose calls are not done. */
  current(): Step | undefined
  /** The latest step. For a run without steps it is step 1. */
  last(): Step
  /** The current step, which begins if there is none: a stream without steps has one step per message. */
  ensure(): Step
  start(event: EventOf<'step-start'>): void
  end(event: EventOf<'step-end'>): void
  addUsage(event: EventOf<'usage'>): void
  callBegan(step: Step): void
  callEnded(step: Step): void
  /** Ends an implicit step and sends a pending footer: another message begins, or the run has ended. */
  leave(): void
}

interface OpenStep extends Step {
  readonly startedAt: number
  /** Whether it has no `step-start`, and therefore will have no `step-end`. */
  readonly isImplicit: boolean
  usage: UsageCounts
  /** How many of its calls have no output. */
  calls: number
}

/** A step that has ended, whose footer was not sent. */
interface Ending {
  readonly step: OpenStep
  readonly extra: Fields
  at: number
}

export function createSteps(outbox: Outbox, answer: AnswerTracker): Steps {
  let open: OpenStep | undefined
  let ending: Ending | undefined
  let last: Step = { kind: 'final', number: 1 }
  let lastNumber = 0
  let hasPlanned = false

  function begin(kind: Step['kind'], statedNumber: number | undefined, isImplicit: boolean, extra: Fields): OpenStep {
    // A plan has the number of the step that follows it, an answer that of the step before.
    const number = statedNumber ?? (kind === 'final' ? Math.max(lastNumber, 1) : lastNumber + 1)
    const plan = kind === 'planning' ? { planningType: hasPlanned ? ('update' as const) : ('initial' as const) } : {}
    const step: OpenStep = { kind, number, ...plan, startedAt: outbox.now(), isImplicit, usage: {}, calls: 0 }
    open = step
    last = step
    if (kind === 'planning') {
      hasPlanned = true
      outbox.emit(planningHeader(step), { step })
    } else if (kind === 'action') {
      lastNumber = number
      outbox.emit(actionHeader(step, extra), { step })
    }
    return step
  }

  /** Many frameworks end a step before they run its calls: the footer comes after the calls. */
  function close(extra: Fields): void {
    const step = open
    open = undefined
    if (step === undefined || step.kind === 'final') return
    settle()
    ending = { step, extra, at: outbox.now() }
    if (step.calls === 0) settle()
  }

  function settle(): void {
    if (ending === undefined) return
    const { step, extra, at } = ending
    ending = undefined
    const { durationMs } = step.usage
    const duration = durationMs === undefined ? secondsBetween(step.startedAt, at) : durationMs / 1000
    const spent = { usage: step.usage, duration, extra }
    answer.afterThought(() => {
      for (const draft of step.kind === 'planning' ? planningEnd(step, spent) : actionEnd(step, spent)) {
        outbox.emit(draft, { step })
      }
    })
  }

  function stateOf(step: Step): OpenStep | undefined {
    if (open === step) return open
    return ending?.step === step ? ending.step : undefined
  }

  return {
    current: () => open ?? ending?.step,
    last: () => last,
    ensure: () => open ?? ending?.step ?? begin('action', undefined, true, {}),
    start({ kind, name, number, meta }) {
      close({})
      settle()
      answer.otherBegan()
      const isNamed = kind === 'planning' || kind === 'final'
      begin(isNamed ? kind : 'action', wholeNumber(number), false, { kind: isNamed ? undefined : kind, name, meta })
    },
    end({ reason, meta }) {
      close({ reason, meta })
    },
    addUsage(event) {
      const step = open ?? ending?.step
      if (step !== undefined && event.scope === 'step') step.usage = usedAfter(step.usage, event)
    },
    callBegan(step) {
      const state = stateOf(step)
      if (state !== undefined) state.calls++
    },
    callEnded(step) {
      const state = stateOf(step)
      if (state === undefined) return
      state.calls--
      if (ending?.step !== state) return
      ending.at = outbox.now()
      if (state.calls === 0) settle()
    },
    leave() {
      if (open?.isImplicit) close({})
      settle()
    },
  }
}

function wholeNumber(number: number | undefined): number | undefined {
  return Number.isSafeInteger(number) && Number(number) >= 0 ? number : undefined
}
