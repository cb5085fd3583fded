import type { Fields } from '../chunk-fields.ts'
import { actionThought } from './action-step.ts'
import { finalAnswer } from './final-answer-step.ts'
import type { Speech, Step } from './message.ts'
import type { MessageStream } from './stream.ts'

/** A text of the main agent that is whole. */
export interface Candidate {
  readonly stream: MessageStream
  readonly step: Step
  /** What of ours goes with it. */
  readonly own: () => Fields
  /** Told once it is said: under which id, and as what. */
  readonly said: (messageId: string, speech: Speech) => void
}

/**
 * Which text is the answer, only the end of the run tells. So the last message of a text's stream, which makes it whole,
 * waits until something else begins, and it was a thought, or the run ends, and it is the answer. Its words do not wait.
 */
export interface Answer {
  /** MUST be of a text in which nothing else has begun: then there is no other that waits. */
  offer(candidate: Candidate): void
  /** The main agent begins something else: what waits was no answer, and neither is what is still being written. */
  begin(): void
  /** How many things it has begun. */
  begun(): number
  /** What waits is no answer. */
  giveUp(): void
  /** The run has ended well: says its answer, if there is one, and right before it does this. */
  give(before: () => void): boolean
  /** Does this behind the text that waits, where one does. */
  afterThought(action: () => void): void
}

export function createAnswer(): Answer {
  let waiting: Candidate | undefined
  let actions: (() => void)[] = []
  let begun = 0

  function finish(candidate: Candidate, isAnswer: boolean): void {
    const { stream, step, own, said } = candidate
    const speech = isAnswer || step.kind === 'final' ? finalAnswer(step) : actionThought(step)
    said(stream.finish(speech, own()), speech)
  }

  function act(): void {
    if (actions.length === 0) return
    const due = actions
    actions = []
    for (const action of due) action()
  }

  function giveUp(): void {
    const candidate = waiting
    waiting = undefined
    if (candidate !== undefined) finish(candidate, false)
    act()
  }

  return {
    offer(candidate) {
      waiting = candidate
    },
    begin() {
      begun++
      giveUp()
    },
    begun: () => begun,
    giveUp,
    give(before) {
      const candidate = waiting
      waiting = undefined
      if (candidate === undefined) return false
      // It ends the run: the footer of its step comes before it.
      candidate.stream.standBack()
      act()
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
