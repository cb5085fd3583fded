import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { timeOf } from './agent-lines/lines.ts'
import { readAssistant, streamEvents } from './claude-agent-sdk/assistant.ts'
import { createCalls, createControl } from './claude-agent-sdk/calls.ts'
import { createEndings } from './claude-agent-sdk/endings.ts'
import { createLines, markOf } from './claude-agent-sdk/lines.ts'
import {
  type AssistantLine,
  type Line,
  lineMetadata,
  ownFields,
  type PlainLine,
  type ProgressLine,
  type ResultLine,
  type StreamLine,
  type SystemLine,
  textIn,
  type UserLine,
} from './claude-agent-sdk/raw.ts'
import { recognize } from './claude-agent-sdk/recognize.ts'
import { createSubagents, createTaskRows } from './claude-agent-sdk/subagents.ts'
import { besideRows, createInit, systemEvents } from './claude-agent-sdk/system.ts'
import { createThreads, finish, withAgent } from './claude-agent-sdk/threads.ts'
import { addMessage, createUserLines } from './claude-agent-sdk/user-lines.ts'
import { isEmpty, keepRaw } from './kit/keep.ts'
import type { Out } from './kit/voice.ts'
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
  version: 5,
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
  | ProgressLine
  | PlainLine<'tool_progress' | 'attachment' | 'queue-operation'>
  | PlainLine<'control_request' | 'control_response' | 'control_cancel_request'>
  | PlainLine<keyof typeof besideRows>

function create(): ParserState {
  const calls = createCalls()
  const threads = createThreads(calls)
  const lines = createLines()
  const subagents = createSubagents(calls)
  const taskRows = createTaskRows(calls, subagents)
  const control = createControl(calls)
  const endings = createEndings()
  const readInit = createInit()
  const main = threads.of(undefined)
  let minted = 0
  /** An id for a message whose line has none. */
  const mint = () => `line-${++minted}`
  const userLines = createUserLines({ calls, main, lines, subagents, endings, mint })
  /** Whether the model has said anything since the last result. */
  let hasModelSpoken = false

  /** Notes that the model speaks, if it is the main agent's. */
  function markModelSpoken(out: Out, agentId: string | undefined): void {
    if (agentId !== undefined) return
    hasModelSpoken = true
    endings.resume(out, 'assistant')
  }

  function assistant(line: AssistantLine): readonly StreamEvent[] {
    const { content } = line.message
    if (typeof content !== 'string' && !Array.isArray(content)) return unmapped(line)
    const mark = markOf(content)
    if (lines.isRepeated(line.uuid, mark)) return SILENT
    const agentId = subagents.agentOf(line, undefined)
    const messageId = line.message.id ?? line.uuid ?? mint()
    const out: Out = []
    const added: Out = []
    subagents.announce(out, agentId, line)
    markModelSpoken(out, agentId)
    const blockIds = readAssistant(added, threads.of(agentId), line, messageId)
    if (line.supersedes) lines.retract(out, line.supersedes)
    const ids = agentId === undefined ? blockIds : blockIds.map((blockId) => `${agentId}/${blockId}`)
    lines.note(line.uuid, { content: mark, messageId, agentId, blockIds: ids })
    if (agentId === undefined) endings.stopFor(line.message.stop_reason)
    out.push(...withAgent(added, agentId))
    return understood(out)
  }

  function system(line: SystemLine): readonly StreamEvent[] {
    const { subtype, retracted_message_uuids } = line
    if (subtype === 'init') {
      endings.markLive()
      return understood(readInit(line))
    }
    if (subtype === 'permission_denied') return control.denied(line as never)
    if (subtype === 'local_command_output' || subtype === 'local_command') return userLines.outputOf(line)
    const taskRow = taskRows.get(subtype ?? '')
    if (taskRow !== undefined) return taskRow(line)
    const out: Out = []
    const events = systemEvents(line)
    lines.retract(out, (retracted_message_uuids ?? []) as readonly string[])
    return joined([understood(out), events])
  }

  function result(line: ResultLine): readonly StreamEvent[] {
    if (typeof line.subtype !== 'string' && isEmpty(ownFields(line))) return unmapped(line)
    const { result: text } = line
    const figures = endings.result(line)
    const out: Out = []
    // Without messages before it, the result is the only answer. Otherwise it repeats the last message.
    if (!hasModelSpoken && line.is_error !== true && typeof text === 'string' && text !== '')
      addMessage(out, line.uuid ?? mint(), 'assistant', [{ type: 'text', text }])
    // A later turn replaces the end that holds the result.
    if (typeof (text ?? '') !== 'string') keepRaw(out, line)
    hasModelSpoken = false
    finish(out, main)
    out.push(...figures)
    return understood(out)
  }

  function readToolProgress(line: PlainLine<'tool_progress'>): readonly StreamEvent[] {
    const callId = textIn(line, 'tool_use_id')
    if (callId === undefined) return [lineMetadata('tool_progress', line)]
    const call = calls.get(callId)
    if (call?.isAnswered) return SILENT
    const name = (line.tool_name ?? 'unknown') as string
    const out: Out = []
    if (call === undefined) out.push({ type: 'tool-start', callId, name, runBy: 'agent' })
    out.push({ type: 'tool-progress', callId, channel: 'data', data: ownFields(line) })
    return withAgent(out, subagents.agentOf(line, undefined))
  }

  /** A line that wraps a subagent's line, or reports the progress of a call. */
  function readProgress(line: ProgressLine): readonly StreamEvent[] {
    const { data, toolUseID, parentToolUseID, timestamp } = line
    const inner = data.message
    const parent = parentToolUseID ?? toolUseID ?? undefined
    if (data.type === 'agent_progress' && (inner?.type === 'assistant' || inner?.type === 'user')) {
      const sidechain = { isSidechain: true, ...present({ agentId: data.agentId }) }
      const owner = parent === undefined ? sidechain : { parent_tool_use_id: parent }
      const envelope = { timestamp: inner.timestamp ?? timestamp ?? null, ...owner }
      return inner.type === 'assistant'
        ? assistant({ ...inner, ...envelope })
        : userLines.read({ ...inner, ...envelope })
    }
    const call = calls.get(parent)
    if (parent === undefined || call === undefined || call.isAnswered) return [lineMetadata('progress', line)]
    return withAgent([{ type: 'tool-progress', callId: parent, channel: 'data', data: data as never }], call.agentId)
  }

  const handlers: Handlers<RawLine> = {
    assistant,
    user: userLines.read,
    stream_event(line, record) {
      endings.markLive()
      const agentId = subagents.agentOf(line, undefined)
      const events = withAgent(streamEvents(threads.of(agentId), line, record), agentId)
      const before: Out = []
      subagents.announce(before, agentId, line)
      if (!hasModelSpoken) markModelSpoken(before, agentId)
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
      const last = endings.end(control.isAsking(), calls.oldestOf(undefined) !== undefined)
      if (last === undefined) return []
      return last.outcome === 'success' ? [...subagents.endUncalled(), last] : [last]
    },
  }
}
