import type { StreamEvent } from '../events.ts'
import { timeOf } from './agent-lines/lines.ts'
import { assistantEvents } from './claude-agent-sdk/assistant.ts'
import { createCalls } from './claude-agent-sdk/calls.ts'
import { createControl } from './claude-agent-sdk/control.ts'
import { createEndings } from './claude-agent-sdk/endings.ts'
import { aside, ownFields, wordIn } from './claude-agent-sdk/fields.ts'
import { createInit } from './claude-agent-sdk/init.ts'
import { createLines, markOf } from './claude-agent-sdk/lines.ts'
import type {
  AssistantLine,
  Line,
  PlainLine,
  ProgressLine,
  ResultLine,
  StreamLine,
  SystemLine,
  ToolProgressLine,
  UserLine,
} from './claude-agent-sdk/raw.ts'
import { recognize } from './claude-agent-sdk/recognize.ts'
import { resultEvents } from './claude-agent-sdk/result.ts'
import { type BesideType, besideRows, type StoredType, storedRows } from './claude-agent-sdk/stored.ts'
import { streamEvents } from './claude-agent-sdk/stream.ts'
import { createSubagents } from './claude-agent-sdk/subagents.ts'
import { systemEvents } from './claude-agent-sdk/system.ts'
import { createTasks } from './claude-agent-sdk/tasks.ts'
import { createThreads, finish, placed } from './claude-agent-sdk/threads.ts'
import { createUserLines } from './claude-agent-sdk/user-lines.ts'
import {
  dispatch,
  type Handlers,
  joined,
  type Parser,
  type ParserState,
  SILENT,
  understood,
  unmapped,
} from './parser.ts'

/**
 * What an agent of the Claude Agent SDK says, one message a line: live (`claude --output-format stream-json`, with or
 * without partial messages) or as Claude Code stores its sessions.
 */
export const claudeAgentSdk: Parser = {
  version: 2,
  losses: { state: 'There is no shared state.' },
  recognize,
  create,
}

type RawLine =
  | AssistantLine
  | UserLine
  | StreamLine
  | ResultLine
  | SystemLine
  | ToolProgressLine
  | ProgressLine
  | PlainLine<'attachment' | 'queue-operation' | 'control_request' | 'control_response' | 'control_cancel_request'>
  | PlainLine<StoredType>
  | PlainLine<BesideType>

function create(): ParserState {
  const calls = createCalls()
  const threads = createThreads()
  const lines = createLines()
  const subagents = createSubagents(calls)
  const tasks = createTasks(calls, subagents)
  const control = createControl(calls)
  const endings = createEndings()
  const init = createInit()
  const main = threads.of(undefined)
  const userLines = createUserLines({ calls, threads, lines, subagents, endings, mint })
  let minted = 0
  /** Whether the model spoke since the last result. */
  let isSaid = false

  /** The id of a message whose line has none. */
  function mint(): string {
    minted += 1
    return `line-${minted}`
  }

  /** The model of the main agent speaks. */
  function speak(agentId: string | undefined): StreamEvent[] {
    if (agentId !== undefined) return []
    isSaid = true
    return endings.goOn('assistant')
  }

  function assistant(line: AssistantLine): readonly StreamEvent[] {
    const { content } = line.message
    if (typeof content !== 'string' && !Array.isArray(content)) return unmapped(line)
    const mark = markOf(content)
    if (lines.isKnown(line.uuid, mark)) return SILENT
    const agentId = subagents.of(line, undefined)
    const messageId = line.message.id ?? line.uuid ?? mint()
    const announced = subagents.announce(agentId, line)
    const resumed = speak(agentId)
    const { events, blockIds } = assistantEvents(threads.of(agentId), calls, line, messageId)
    const said = placed(events, agentId)
    const superseded = line.supersedes ? lines.retract(line.supersedes) : []
    const ids = agentId === undefined ? blockIds : blockIds.map((blockId) => `${agentId}/${blockId}`)
    lines.note(line.uuid, { content: mark, messageId, agentId, blockIds: ids })
    if (agentId === undefined) endings.stopFor(line.message.stop_reason)
    return understood([...announced, ...resumed, ...superseded, ...said])
  }

  function system(line: SystemLine): readonly StreamEvent[] {
    if (line.subtype === 'init') {
      endings.isLive()
      return understood(init.read(line))
    }
    if (line.subtype === 'permission_denied') return control.denied(line)
    if (line.subtype === 'local_command_output' || line.subtype === 'local_command') return userLines.outputOf(line)
    const retracted = (line.retracted_message_uuids ?? []) as readonly string[]
    return tasks.read(line) ?? joined([understood(lines.retract(retracted)), systemEvents(line)])
  }

  function result(line: ResultLine): readonly StreamEvent[] {
    if (typeof line.subtype !== 'string' && Object.keys(ownFields(line)).length === 0) return unmapped(line)
    const figures = resultEvents(line, endings.costBefore(line.total_cost_usd))
    // A result that follows nothing is all that was asked for: elsewhere it repeats what was said.
    const isAlone = !isSaid && line.is_error !== true && typeof line.result === 'string' && line.result !== ''
    const alone = isAlone ? userLines.answer(line.result as string, line.uuid ?? mint()) : []
    isSaid = false
    const ended = finish(main)
    endings.result(line)
    return understood([...alone, ...ended, ...figures])
  }

  function toolProgress(line: ToolProgressLine): readonly StreamEvent[] {
    const callId = wordIn(line, 'tool_use_id')
    if (callId === undefined) return [aside('tool_progress', line)]
    const call = calls.get(callId)
    if (call?.isAnswered) return SILENT
    const agentId = subagents.of(line, undefined)
    const name = line.tool_name ?? 'unknown'
    const found: StreamEvent[] = call === undefined ? [{ type: 'tool-start', callId, name, runBy: 'agent' }] : []
    return placed([...found, { type: 'tool-progress', callId, channel: 'data', data: ownFields(line) }], agentId)
  }

  /** A subagent's line inside a line of its own, or the state of some work. */
  function progress(line: ProgressLine): readonly StreamEvent[] {
    const { data, toolUseID, parentToolUseID, timestamp } = line
    const inner = data.message
    const parent = parentToolUseID ?? toolUseID ?? data.agentId ?? null
    if (data.type === 'agent_progress' && (inner?.type === 'assistant' || inner?.type === 'user')) {
      const place = { timestamp: inner.timestamp ?? timestamp ?? null, parent_tool_use_id: parent }
      if (inner.type === 'assistant') return assistant({ ...inner, ...place })
      return userLines.read({ ...inner, ...place })
    }
    const call = typeof parent === 'string' ? calls.get(parent) : undefined
    if (typeof parent !== 'string' || call === undefined || call.isAnswered) return [aside('progress', line)]
    return placed([{ type: 'tool-progress', callId: parent, channel: 'data', data: data as never }], call.agentId)
  }

  const handlers: Handlers<RawLine> = {
    assistant,
    user: userLines.read,
    stream_event(line, record) {
      endings.isLive()
      const agentId = subagents.of(line, undefined)
      const events = placed(streamEvents(threads.of(agentId), calls, line, record), agentId)
      if (events.length === 0 && events !== SILENT) return events
      const before = [...subagents.announce(agentId, line), ...(isSaid ? [] : speak(agentId))]
      return before.length === 0 ? events : [...before, ...events]
    },
    result,
    system,
    tool_progress: toolProgress,
    progress,
    attachment: userLines.attachment,
    'queue-operation': userLines.queued,
    control_request: control.request,
    control_response: control.response,
    control_cancel_request: control.cancel,
    ...storedRows,
    ...besideRows,
  }
  const map = dispatch(handlers)

  return {
    push(value, record) {
      const events = map(value, record)
      if (events.length === 0) return events
      const sentAt = timeOf((value as Line).timestamp)
      for (const event of events) calls.note(event)
      return sentAt === undefined ? events : events.map((event) => ({ ...event, sentAt }))
    },
    end() {
      const [last] = endings.end(control.isAsking(), calls.isWaiting())
      if (last === undefined) return []
      return last.outcome === 'success' ? [...subagents.rest(), last] : [last]
    },
  }
}
