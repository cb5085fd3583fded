import type { ClientOutput, RunInput } from '@millrace/core/api/api-types'
import type { StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { createJoin } from '@millrace/core/fold/join-runs'
import type { ChatEvent, ToolSegment } from '@millrace/core/fold/shapes'
import { toolsIn } from '@millrace/core/fold/subagent-walk'

import { RunRefusal } from './errors.ts'

const MESSAGE = 'input-tools'

/** The calls that were left open in the history, by their ids. */
export function openCallsIn(history: readonly ChatEvent[]): ReadonlyMap<string, ToolSegment> {
  const open = history.flatMap(({ segments }) => toolsIn(segments)).filter((call) => call.endedAt === undefined)
  return new Map(open.map((call) => [call.callId, call]))
}

/** What is asked, with one output for each call: of several the last word counts. */
export function withoutRepeats(input: RunInput): RunInput {
  if (input.toolOutputs === undefined) return input
  const last = new Map(input.toolOutputs.map((output) => [output.callId, output]))
  return { ...input, toolOutputs: [...last.values()] }
}

/**
 * What a client brings back, as a message of role `tool` directly after `run-start`. Each call is told again with its
 * output, marked as one that began elsewhere: whoever joins the runs shows the output where the call stands. Throws
 * `not-open` for a call that waits for nothing.
 */
export function toolMessage(history: readonly ChatEvent[], outputs: readonly ClientOutput[]): readonly StreamEvent[] {
  if (outputs.length === 0) return []
  const open = openCallsIn(history)
  const place = { messageId: MESSAGE }
  return [
    { type: 'message-start', role: 'tool', ...place },
    ...outputs.flatMap((output) => toldAgain(open.get(output.callId), output).map((event) => ({ ...event, ...place }))),
    { type: 'message-end', ...place },
  ]
}

function toldAgain(call: ToolSegment | undefined, told: ClientOutput): readonly StreamEvent[] {
  const { callId, output, error } = told
  if (call === undefined) throw new RunRefusal('not-open', callId)
  const { name, runBy, input = {} } = call
  return [
    { type: 'tool-start', callId, name, runBy, meta: { millrace: { orphan: true } } },
    { type: 'tool-input', callId, input },
    error === undefined
      ? { type: 'tool-output', callId, status: 'ok', output: output ?? null }
      : { type: 'tool-output', callId, status: 'error', output: output ?? error, error },
  ]
}

/** The history as it stands with the outputs. */
export function withOutputs(history: readonly ChatEvent[], message: readonly StreamEvent[]): readonly ChatEvent[] {
  if (message.length === 0) return history
  const { startedAt = 0, endedAt = startedAt } = history.at(-1) ?? {}
  const { chatEvents } = fold(message.map((event, index) => ({ seq: index + 1, at: endedAt, event, rawThrough: 0 })))
  return createJoin()([...history, ...chatEvents])
}
