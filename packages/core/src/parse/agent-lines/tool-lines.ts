import { inputOf } from '../../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { resultFiles } from '../kit/result-files.ts'
import { type Handlers, SILENT, unmapped } from '../parser.ts'
import { type ResultLine, type SearchResult, searchTools, type ToolLine, type ToolResult, todoTools } from './lines.ts'
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

/** A result is assigned to its call by id, else to the oldest call of its name, or of all calls if it has no name. */
export function resultLines(seen: Seen): Handlers<ResultLine> {
  /** The output of the call `found`; without it, a call is started for the result if its name is known. */
  function answer(found: string | undefined, name: string | undefined, result: Result): readonly StreamEvent[] {
    const callId = found ?? seen.nextCallId()
    const output: StreamEvent = { type: 'tool-output', callId, ...result }
    if (found !== undefined || name === undefined) return [output]
    return [{ type: 'tool-start', callId, name, runBy: 'agent' }, output]
  }

  /** A subagent ends with the call that started it. */
  function subagentEnds(callId: string | undefined, { status, output }: Result): StreamEvent[] {
    return seen
      .openSubagents()
      .filter((subagent) => callId !== undefined && subagent.callId === callId)
      .map(({ agentId }) => ({
        type: 'subagent-end',
        agentId,
        status: status === 'ok' ? 'done' : 'failed',
        ...(typeof output === 'string' && output !== '' && { summary: output }),
      }))
  }

  return {
    tool_result(line) {
      const { data } = line
      const name = data.name || undefined
      const callId = idOf(data) ?? seen.oldestCall(...spellings(name))?.callId
      // A list that was printed as todo lines has no call: its result adds nothing to what is drawn.
      if (callId === undefined && name !== undefined && todoTools.includes(name)) return unmapped(line)
      const result = resultOf(data)
      const answered = answer(callId, name, result)
      const files = resultFiles(result.output, callId ?? seen.nextCallId())
      return [...answered, ...files, ...subagentEnds(callId, result)]
    },
    function_response({ data }) {
      const callId = idOf(data) ?? seen.oldestCall(data.name)?.callId
      return answer(callId, data.name, { status: 'ok', output: data.response ?? null })
    },
    search_result({ data }) {
      const named = data.name ? seen.oldestCall(data.name) : undefined
      const found = (named ?? seen.oldestCall(...searchTools))?.callId
      const { name: _, ...output } = data
      return [
        ...answer(found, data.name || searchTools[0], { status: 'ok', output }),
        ...sourcesOf(data, found ?? seen.nextCallId()),
      ]
    },
    think_result(line) {
      const call = line.data.name ? seen.oldestCall(line.data.name) : undefined
      if (call === undefined) return unmapped(line)
      return [{ type: 'tool-output', callId: call.callId, status: 'ok', output: line.data.acknowledged ?? null }]
    },
  }
}

interface Result {
  readonly status: 'ok' | 'error'
  readonly output: Json
  readonly error?: string
}

function idOf(data: Pick<ToolResult, 'tool_use_id' | 'tool_call_id' | 'id'>): string | undefined {
  return data.tool_use_id || data.tool_call_id || data.id || undefined
}

/** The names with which the call may have been started. */
function spellings(name: string | undefined): readonly string[] {
  if (name === undefined) return []
  return (searchTools as readonly string[]).includes(name) ? [name, ...searchTools] : [name]
}

function resultOf(data: ToolResult): Result {
  const { tool_use_id, tool_call_id, id, name, success, is_error, error, ...rest } = data
  const output = data.content ?? data.output_preview ?? data.output ?? rest
  if (success !== false && is_error !== true) return { status: 'ok', output }
  const sentence = [error, output].find((text) => typeof text === 'string' && text !== '')
  return { status: 'error', output, ...(typeof sentence === 'string' && { error: sentence }) }
}

function sourcesOf({ results }: SearchResult, callId: string): StreamEvent[] {
  return (results ?? []).flatMap(({ title, url }, index): StreamEvent[] =>
    url
      ? [{ type: 'source', sourceId: `${callId}/${index + 1}`, kind: 'url', url, ...(title && { title }), callId }]
      : [],
  )
}
