import type { Outcome } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isText, type Json } from '../../json.ts'
import type { UsageTotal } from '../../meaning/usage-total.ts'
import type { Tellers } from './blocks.ts'
import { finalAnswer } from './final-answer-step.ts'
import { errorMessage, type Failure, general } from './general.ts'
import { draftOf } from './message.ts'
import type { Others } from './others.ts'
import type { Tools } from './tools.ts'

type End = EventOf<'run-end'>

/** What it is called that a run has no answer, where nobody said why. The names are those of Python. */
const FAILURES: { readonly [Of in Exclude<Outcome, 'success' | 'awaiting-input'>]: Failure } = {
  error: { message: 'The run failed.' },
  interrupted: { name: 'InterruptedError', message: 'The run was interrupted.' },
  cancelled: { name: 'CancelledError', message: 'The run was stopped.' },
}

/**
 * The end of a run. The protocol has no word for it but that the last message is an answer or an error: every run has
 * one of them last, unless it waits for an answer itself. Our own word goes with it.
 */
export function runEnd(tellers: Tellers, tools: Tools, others: Others, usage: UsageTotal): (event: End) => void {
  const { outbox, steps, answer } = tellers

  function succeed(event: End, ride: () => void): void {
    if (answer.give(ride)) return
    const text = others.answerFile() ?? resultText(event.result)
    outbox.release()
    ride()
    const step = steps.last()
    const { content, metadata } = finalAnswer(step).whole(text, false)
    outbox.say(draftOf(metadata, content, {}), { step })
  }

  function fail(event: End, ride: () => void, words: Failure): void {
    const { error, reason } = event
    const message = error?.message || reason || words.message
    const failure = { ...(error ?? words), message }
    answer.giveUp()
    outbox.release()
    ride()
    const { content, metadata } = errorMessage(undefined, failure, {})
    // Many frameworks say an error first and then end with it: it is one message.
    outbox.put(others.errorIdOf(message) ?? outbox.ids.next(), content, metadata, { step: undefined })
  }

  return (event) => {
    const { outcome } = event
    const total = usage.total()
    const ride = () => outbox.riders.add(total === undefined ? event : { ...event, usage: total })
    tools.closeAll()
    steps.leave()
    if (outcome === 'success') succeed(event, ride)
    else if (outcome !== 'awaiting-input') fail(event, ride, FAILURES[outcome])
    else {
      answer.giveUp()
      outbox.release()
      ride()
      const waiting = general(undefined, 'Waiting for an answer.', { agent_status: 'standby', is_active: false })
      outbox.say(waiting, { step: undefined })
    }
  }
}

/** What a run gave that said nothing at its end. A text was said before, for it is the last that was. */
function resultText(result: Json | undefined): string {
  return result === undefined || result === null || isText(result) ? '' : JSON.stringify(result)
}
