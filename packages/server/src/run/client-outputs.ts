import type { ClientOutput, RunInput } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import { type ChatEvent, createJoin, fold, type ToolSegment, toolsIn } from '@millrace/core/fold'

import { RunRefusal } from './errors.ts'
import { hasOnlyOutputs, withClient } from './user-message.ts'

const MESSAGE = 'input-tools'

/** The calls of the history that have no output, by id. */
export function openCallsIn(history: readonly ChatEvent[]): ReadonlyMap<string, ToolSegment> {
  const open = history.flatMap(({ segments }) => toolsIn(segments)).filter((call) => call.endedAt === undefined)
  return new Map(open.map((call) => [call.callId, call]))
}

/** How many calls of the client a run remembers. */
const MOST_CALLS = 1_000

/** The ids of the newest calls in the history that the client runs. */
export function clientCallIdsIn(history: readonly ChatEvent[]): readonly string[] {
  const calls = history.flatMap(({ segments }) => toolsIn(segments)).filter(({ runBy }) => runBy === 'client')
  return [...new Set(calls.map(({ callId }) => callId))].slice(-MOST_CALLS)
}

/** The input with one output per call: of several outputs of one call, the last counts. */
export function withoutRepeats(input: RunInput): RunInput {
  if (input.toolOutputs === undefined) return input
  const lastByCall = new Map(input.toolOutputs.map((output) => [output.callId, output]))
  return { ...input, toolOutputs: [...lastByCall.values()] }
}

/**
 * The outputs that a client sends, as a message of role `tool` directly after `run-start`. Each call is repeated with
 * its output and marked as an orphan: when runs are joined, the output is shown at the original call. Throws `not-open`
 * for a call that does not wait for an output.
 */
export function toolMessage(history: readonly ChatEvent[], input: RunInput): readonly StreamEvent[] {
  const { toolOutputs: outputs = [], client } = input
  if (outputs.length === 0) return []
  const openCalls = openCallsIn(history)
  const scope = { messageId: MESSAGE }
  const message: readonly StreamEvent[] = [
    { type: 'message-start', role: 'tool', ...scope },
    ...outputs.flatMap((output) =>
      repeatedCall(openCalls.get(output.callId), output).map((event) => ({ ...event, ...scope })),
    ),
    { type: 'message-end', ...scope },
  ]
  return hasOnlyOutputs(input) ? withClient(message, client) : message
}

function repeatedCall(call: ToolSegment | undefined, clientOutput: ClientOutput): readonly StreamEvent[] {
  const { callId, output, error, clientId } = clientOutput
  const meta = clientId === undefined ? {} : { meta: { millrace: { clientId } } }
  if (call === undefined) throw new RunRefusal('not-open', callId)
  const { name, runBy, input = {} } = call
  return [
    { type: 'tool-start', callId, name, runBy, meta: { millrace: { orphan: true } } },
    { type: 'tool-input', callId, input },
    error === undefined
      ? { type: 'tool-output', callId, status: 'ok', output: output ?? null, ...meta }
      : { type: 'tool-output', callId, status: 'error', output: output ?? error, error, ...meta },
  ]
}

/** The history with the outputs joined to their calls. */
export function withOutputs(history: readonly ChatEvent[], message: readonly StreamEvent[]): readonly ChatEvent[] {
  if (message.length === 0) return history
  const { startedAt = 0, endedAt = startedAt } = history.at(-1) ?? {}
  const { chatEvents } = fold(message.map((event, index) => ({ seq: index + 1, at: endedAt, event, rawThrough: 0 })))
  return createJoin()([...history, ...chatEvents])
}
