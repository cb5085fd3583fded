import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { timeOf } from './agent-lines/lines.ts'
import { assistantEvents } from './claude-agent-sdk/assistant.ts'
import { createCalls } from './claude-agent-sdk/calls.ts'
import { createControl } from './claude-agent-sdk/control.ts'
import { createEndings } from './claude-agent-sdk/endings.ts'
import { lineMetadata, ownFields, textIn } from './claude-agent-sdk/fields.ts'
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
import { createInit, systemEvents } from './claude-agent-sdk/system.ts'
import { createTasks } from './claude-agent-sdk/tasks.ts'
import { createThreads, finish, withAgent } from './claude-agent-sdk/threads.ts'
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
 * The messages of a Claude Agent SDK agent, one per line: live (`claude --output-format stream-json`, with or without
 * partial messages) or as Claude Code stores its sessions.
 */
export const claudeAgentSdk: Parser = {
  version: 4,
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
  /** Whether the model has said anything since the last result. */
  let hasModelSpoken = false

  /** Returns an id for a message whose line has none. */
  function mint(): string {
    minted += 1
    return `line-${minted}`
  }

  /** Notes that the model speaks, if it is the main agent's. */
  function markModelSpoken(agentId: string | undefined): StreamEvent[] {
    if (agentId !== undefined) return []
    hasModelSpoken = true
    return endings.resume('assistant')
  }

  function assistant(line: AssistantLine): readonly StreamEvent[] {
    const { content } = line.message
    if (typeof content !== 'string' && !Array.isArray(content)) return unmapped(line)
    const mark = markOf(content)
    if (lines.isRepeated(line.uuid, mark)) return SILENT
    const agentId = subagents.agentOf(line, undefined)
    const messageId = line.message.id ?? line.uuid ?? mint()
    const announced = subagents.announce(agentId, line)
    const resumed = markModelSpoken(agentId)
    const { events, blockIds } = assistantEvents(threads.of(agentId), calls, line, messageId)
    const lineEvents = withAgent(events, agentId)
    const superseded = line.supersedes ? lines.retract(line.supersedes) : []
    const ids = agentId === undefined ? blockIds : blockIds.map((blockId) => `${agentId}/${blockId}`)
    lines.note(line.uuid, { content: mark, messageId, agentId, blockIds: ids })
    if (agentId === undefined) endings.stopFor(line.message.stop_reason)
    return understood([...announced, ...resumed, ...superseded, ...lineEvents])
  }

  function system(line: SystemLine): readonly StreamEvent[] {
    if (line.subtype === 'init') {
      endings.markLive()
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
    // Without messages before it, the result is the only answer. Otherwise it repeats the last message.
    const isOnlyAnswer =
      !hasModelSpoken && line.is_error !== true && typeof line.result === 'string' && line.result !== ''
    const onlyAnswer = isOnlyAnswer ? userLines.answer(line.result as string, line.uuid ?? mint()) : []
    hasModelSpoken = false
    const ended = finish(main)
    endings.result(line)
    return understood([...onlyAnswer, ...ended, ...figures])
  }

  function readToolProgress(line: ToolProgressLine): readonly StreamEvent[] {
    const callId = textIn(line, 'tool_use_id')
    if (callId === undefined) return [lineMetadata('tool_progress', line)]
    const call = calls.get(callId)
    if (call?.isAnswered) return SILENT
    const agentId = subagents.agentOf(line, undefined)
    const name = line.tool_name ?? 'unknown'
    const started: StreamEvent[] = call === undefined ? [{ type: 'tool-start', callId, name, runBy: 'agent' }] : []
    return withAgent([...started, { type: 'tool-progress', callId, channel: 'data', data: ownFields(line) }], agentId)
  }

  /** A line that wraps a subagent's line, or reports the progress of a call. */
  function readProgress(line: ProgressLine): readonly StreamEvent[] {
    const { data, toolUseID, parentToolUseID, timestamp } = line
    const inner = data.message
    const parent = parentToolUseID ?? toolUseID ?? undefined
    if (data.type === 'agent_progress' && (inner?.type === 'assistant' || inner?.type === 'user')) {
      const owner =
        parent === undefined
          ? { isSidechain: true, ...present({ agentId: data.agentId }) }
          : { parent_tool_use_id: parent }
      const envelope = { timestamp: inner.timestamp ?? timestamp ?? null, ...owner }
      if (inner.type === 'assistant') return assistant({ ...inner, ...envelope })
      return userLines.read({ ...inner, ...envelope })
    }
    const call = parent === undefined ? undefined : calls.get(parent)
    if (parent === undefined || call === undefined || call.isAnswered) return [lineMetadata('progress', line)]
    return withAgent([{ type: 'tool-progress', callId: parent, channel: 'data', data: data as never }], call.agentId)
  }

  const handlers: Handlers<RawLine> = {
    assistant,
    user: userLines.read,
    stream_event(line, record) {
      endings.markLive()
      const agentId = subagents.agentOf(line, undefined)
      const events = withAgent(streamEvents(threads.of(agentId), calls, line, record), agentId)
      if (events.length === 0 && events !== SILENT) return events
      const before = [...subagents.announce(agentId, line), ...(hasModelSpoken ? [] : markModelSpoken(agentId))]
      return before.length === 0 ? events : [...before, ...events]
    },
    result,
    system,
    tool_progress: readToolProgress,
    progress: readProgress,
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
      return last.outcome === 'success' ? [...subagents.endUncalled(), last] : [last]
    },
  }
}
