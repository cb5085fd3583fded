import type { Outcome } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isText, type Json } from '../../json.ts'
import type { UsageTotal } from '../../meaning/usage-total.ts'
import type { RunContext } from './blocks.ts'
import { finalAnswer } from './final-answer.ts'
import { errorMessage, type Failure, generalMessage } from './general.ts'
import { draftOf } from './message.ts'
import type { Others } from './others.ts'
import type { Tools } from './tools.ts'

type End = EventOf<'run-end'>

/** The error of a run that ends without an answer and without an error. The names are those of Python. */
const DEFAULT_FAILURES: { readonly [Of in Exclude<Outcome, 'success' | 'awaiting-input'>]: Failure } = {
  error: { message: 'The run failed.' },
  interrupted: { name: 'InterruptedError', message: 'The run was interrupted.' },
  cancelled: { name: 'CancelledError', message: 'The run was stopped.' },
}

/**
 * The end of a run. The protocol marks it only by the last message, an answer or an error: every run ends with one of
 * them, unless it waits for input. The event itself travels with that message.
 */
export function runEnd(context: RunContext, tools: Tools, others: Others, usage: UsageTotal): (event: End) => void {
  const { outbox, steps, answer } = context

  function succeed(event: End, ride: () => void): void {
    const before = () => {
      others.showFiles()
      ride()
    }
    if (answer.finishAsAnswer(before)) return
    const text = others.takeAnswerFile() ?? resultText(event.result)
    outbox.release()
    before()
    const step = steps.last()
    const { content, metadata } = finalAnswer(step).whole(text, false)
    outbox.emit(draftOf(metadata, content, {}), { step })
  }

  function fail(event: End, ride: () => void, fallback: Failure): void {
    const { error, reason } = event
    const message = error?.message || reason || fallback.message
    const failure = { ...(error ?? fallback), message }
    answer.finishAsThought()
    outbox.release()
    others.showFiles()
    ride()
    const { content, metadata } = errorMessage(undefined, failure, {})
    // Many frameworks emit an error and then end the run with it: it is one message.
    outbox.emitAs(others.errorIdOf(message) ?? outbox.ids.next(), content, metadata, { step: undefined })
  }

  return (event) => {
    const { outcome } = event
    const total = usage.total()
    const ride = () => outbox.riders.add(total === undefined ? event : { ...event, usage: total })
    tools.closeAll()
    steps.leave()
    if (outcome === 'success') succeed(event, ride)
    else if (outcome !== 'awaiting-input') fail(event, ride, DEFAULT_FAILURES[outcome])
    else {
      answer.finishAsThought()
      outbox.release()
      others.showFiles()
      ride()
      const waiting = generalMessage(undefined, 'Waiting for an answer.', { agent_status: 'standby', is_active: false })
      outbox.emit(waiting, { step: undefined })
    }
  }
}

/** The result of a run as text, if the run ended without a text. A text result was already sent as the last text. */
function resultText(result: Json | undefined): string {
  return result === undefined || result === null || isText(result) ? '' : JSON.stringify(result)
}
