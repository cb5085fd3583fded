import { inputOf } from '../../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { type Handlers, SILENT } from '../parser.ts'
import { searchTools, type ToolLine } from './lines.ts'
import type { Seen } from './seen.ts'

/** The calls of every dialect: a line starts a call, gives its input, or does both. */
export function toolLines(seen: Seen): Handlers<ToolLine> {
  function call(id: string | null | undefined, names: readonly string[], input: Input): readonly StreamEvent[] {
    const [name = ''] = names
    const callId = id || (seen.announcedCall(...names)?.callId ?? seen.nextCallId())
    const inputEvent: StreamEvent = { type: 'tool-input', callId, ...input }
    return seen.isOpen(callId) ? [inputEvent] : [{ type: 'tool-start', callId, name, runBy: 'agent' }, inputEvent]
  }

  return {
    tool_call_start({ data }) {
      const { name } = data
      const callId = data.id || (seen.announcedCall(name)?.callId ?? seen.nextCallId())
      return seen.isOpen(callId) ? SILENT : [{ type: 'tool-start', callId, name, runBy: 'agent' }]
    },
    tool_use: ({ data }) => call(data.id, [data.name], { input: data.input ?? {} }),
    tool_call: ({ data }) => call(data.id, [data.name], parsed(data.arguments ?? '')),
    function_call: ({ data }) => call(data.id, [data.name], { input: data.args ?? {} }),
    file_op({ data: { id, operation, ...input } }) {
      return call(id, [operation.concat('_file')], { input })
    },
    search({ data: { id, query, topic, ...rest } }) {
      return call(id, searchTools, { input: { query, topic: topic ?? 'general', ...rest } })
    },
  }
}

type Input = Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'>

/** Arguments as OpenAI sends them: JSON in a string. */
function parsed(input: Json): Input {
  return typeof input === 'string' ? inputOf(input) : { input }
}
