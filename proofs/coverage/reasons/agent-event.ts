import type { Reason } from '../unneeded.ts'

const OWN_RESULT = 'Millrace writes a result as a chunk of its own; a later version may put one before another chunk.'

export const reasons: readonly Reason[] = [
  { file: 'parse/agent-event/additive.ts', arm: 'calls.close(event.callId)', reason: OWN_RESULT },
  { file: 'parse/agent-event/calls.ts', arm: '(callId) => void open.delete(callId)', reason: OWN_RESULT },
  {
    file: 'parse/agent-event/additive.ts',
    arm: 'return raw',
    reason: 'Millrace puts the content of a subagent into progress only; another chunk with an agent is read as it is.',
  },
]
