import { balance } from './balance.ts'
import { boundStates } from './bound-states.ts'
import { clientTools } from './client-tools.ts'
import { type Emit, type Pass, pipe, whenNeeded } from './pass.ts'
import { settle } from './settle.ts'
import { structuredAnswers } from './structured-answers.ts'
import { subagentTools } from './subagent-tools.ts'
import { thinkTags } from './think-tags.ts'
import { todoTools } from './todo-tools.ts'

/** The passes, in order. `balance` is always last: what leaves it is well-formed. */
const passes = [
  whenNeeded(['state'], boundStates),
  clientTools,
  settle,
  thinkTags,
  structuredAnswers,
  whenNeeded(['tool-start', 'todos'], todoTools),
  whenNeeded(['tool-start', 'subagent-start'], subagentTools),
  balance,
]

export function createNormalizer(emit: Emit): Pass {
  return pipe(passes, emit)
}
