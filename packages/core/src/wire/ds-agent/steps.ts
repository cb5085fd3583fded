import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { usedAfter } from '../../meaning/usage-total.ts'
import type { Fields } from '../chunk-fields.ts'
import { actionEnd, actionHeader } from './action-step.ts'
import type { Answer } from './answer.ts'
import type { Step } from './message.ts'
import type { Outbox } from './outbox.ts'
import { planningEnd, planningHeader } from './planning-step.ts'
import { secondsBetween } from './times.ts'

/** The steps of the main agent. What a subagent does belongs to the step that it was called in. */
export interface Steps {
  /** The step under way, be it only that calls of it are not done yet. */
  current(): Step | undefined
  /** The one that was last; the first, of a run that has had none. */
  last(): Step
  /** The step that something of the main agent belongs to; a stream without steps has one for each message. */
  ensure(): Step
  start(event: EventOf<'step-start'>): void
  end(event: EventOf<'step-end'>): void
  use(event: EventOf<'usage'>): void
  callBegan(step: Step): void
  callEnded(step: Step): void
  /** Ends what nobody will say the end of: another message begins, or the run is over. */
  leave(): void
}

interface OpenStep extends Step {
  readonly startedAt: number
  /** Nobody said that it began, so nobody will say that it ends. */
  readonly isOurs: boolean
  usage: UsageCounts
  /** How many of its calls have no output. */
  calls: number
}

/** A step that has ended, whose footer is not said yet. */
interface Ending {
  readonly step: OpenStep
  readonly own: Fields
  at: number
}

export function createSteps(outbox: Outbox, answer: Answer): Steps {
  let open: OpenStep | undefined
  let ending: Ending | undefined
  let last: Step = { kind: 'final', number: 1 }
  let lastNumber = 0
  let hasPlanned = false

  function begin(kind: Step['kind'], given: number | undefined, isOurs: boolean, own: Fields): OpenStep {
    // A plan is made for the step that follows it, and an answer belongs to the step before.
    const number = given ?? (kind === 'final' ? Math.max(lastNumber, 1) : lastNumber + 1)
    const plan = kind === 'planning' ? { planningType: hasPlanned ? ('update' as const) : ('initial' as const) } : {}
    const step: OpenStep = { kind, number, ...plan, startedAt: outbox.now(), isOurs, usage: {}, calls: 0 }
    open = step
    last = step
    if (kind === 'planning') {
      hasPlanned = true
      outbox.say(planningHeader(step), { step })
    } else if (kind === 'action') {
      lastNumber = number
      outbox.say(actionHeader(step, own), { step })
    }
    return step
  }

  /** Many frameworks end a step when the model has spoken, and run its calls then: the footer stands behind those. */
  function close(own: Fields): void {
    const step = open
    open = undefined
    if (step === undefined || step.kind === 'final') return
    settle()
    ending = { step, own, at: outbox.now() }
    if (step.calls === 0) settle()
  }

  function settle(): void {
    if (ending === undefined) return
    const { step, own, at } = ending
    ending = undefined
    const { durationMs } = step.usage
    const duration = durationMs === undefined ? secondsBetween(step.startedAt, at) : durationMs / 1000
    const spent = { usage: step.usage, duration, own }
    answer.afterThought(() => {
      for (const draft of step.kind === 'planning' ? planningEnd(step, spent) : actionEnd(step, spent)) {
        outbox.say(draft, { step })
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
      answer.begin()
      const isNamed = kind === 'planning' || kind === 'final'
      begin(isNamed ? kind : 'action', wholeNumber(number), false, { kind: isNamed ? undefined : kind, name, meta })
    },
    end({ reason, meta }) {
      close({ reason, meta })
    },
    use(event) {
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
      if (open?.isOurs) close({})
      settle()
    },
  }
}

function wholeNumber(number: number | undefined): number | undefined {
  return Number.isSafeInteger(number) && Number(number) >= 0 ? number : undefined
}
