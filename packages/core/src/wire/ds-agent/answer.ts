import type { Fields } from '../chunk-fields.ts'
import { actionThought } from './action-step.ts'
import { finalAnswer } from './final-answer.ts'
import type { MessageTemplate, Step } from './message.ts'
import type { MessageStream } from './stream.ts'

/** A complete text of the main agent. */
export interface Candidate {
  readonly stream: MessageStream
  readonly step: Step
  /** The extra fields of its last message. */
  readonly extra: () => Fields
  /** Called once its last message is sent, with the message's id and template. */
  readonly onEmitted: (messageId: string, template: MessageTemplate) => void
}

/**
 * Decides which text is the answer, which is known only at the end of the run. So the last message of a text's stream
 * waits: if something else begins, the text was a thought; if the run ends, it is the answer. Its deltas do not wait.
 */
export interface AnswerTracker {
  /** MUST be a text during which nothing else has begun, so that no other candidate waits. */
  offer(candidate: Candidate): void
  /** The main agent has begun something else: the candidate and the open texts are not the answer. */
  otherBegan(): void
  /** How often `otherBegan` was called. */
  begunCount(): number
  /** Sends the candidate as a thought. */
  finishAsThought(): void
  /** The run has succeeded: calls `before` and sends the candidate as the answer. Returns false if there is none. */
  finishAsAnswer(before: () => void): boolean
  /** Runs the action after the candidate is sent, or at once if there is none. */
  afterThought(action: () => void): void
}

export function createAnswerTracker(): AnswerTracker {
  let waiting: Candidate | undefined
  let actions: (() => void)[] = []
  let begunCount = 0

  function finish(candidate: Candidate, isAnswer: boolean): void {
    const { stream, step, extra, onEmitted } = candidate
    const template = isAnswer || step.kind === 'final' ? finalAnswer(step) : actionThought(step)
    onEmitted(stream.finish(template, extra()), template)
  }

  function runActions(): void {
    if (actions.length === 0) return
    const due = actions
    actions = []
    for (const action of due) action()
  }

  function finishAsThought(): void {
    const candidate = waiting
    waiting = undefined
    if (candidate !== undefined) finish(candidate, false)
    runActions()
  }

  return {
    offer(candidate) {
      waiting = candidate
    },
    otherBegan() {
      begunCount++
      finishAsThought()
    },
    begunCount: () => begunCount,
    finishAsThought,
    finishAsAnswer(before) {
      const candidate = waiting
      waiting = undefined
      if (candidate === undefined) return false
      // The answer is the last message of the run: the footer of its step comes before it.
      candidate.stream.withdraw()
      runActions()
      before()
      finish(candidate, true)
      return true
    },
    afterThought(action) {
      if (waiting === undefined) action()
      else actions.push(action)
    },
  }
}
