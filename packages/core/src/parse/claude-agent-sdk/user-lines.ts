import { rememberOne } from '../../data/remember.ts'
import type { Role, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { mediaFile } from '../anthropic-messages/results.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Call, Calls } from './calls.ts'
import type { Endings } from './endings.ts'
import { type Lines, markOf } from './lines.ts'
import type { PlainLine, SystemLine, UserBlock, UserContent, UserLine } from './raw.ts'
import { lineMetadata, objectIn, textOf } from './raw.ts'
import type { Subagents } from './subagents.ts'
import { finish, type Thread, withAgent } from './threads.ts'

interface Session {
  readonly calls: Calls
  readonly main: Thread
  readonly lines: Lines
  readonly subagents: Subagents
  readonly endings: Endings
  /** An id for a message whose line has none. */
  mint(): string
}

/** How many prompts are remembered to recognise their replay. */
const MAX_PROMPTS = 256

/** Reads lines of the user role: results of tools, prompts of a person, messages of the program. */
export function createUserLines({ calls, main, lines, subagents, endings, mint }: Session) {
  const prompts = new Set<string>()
  /** Queued prompts, which appear in the queue, in the conversation, or in both. */
  const steering = new Set<string>()

  /** Ends the open message before another begins, unless it is still streaming. */
  function endOpenMessage(out: Out): void {
    if (!main.open?.isStreaming) finish(out, main)
  }

  function readResults(out: Out, line: UserLine, blocks: readonly UserBlock[], agentId: string | undefined): void {
    const structured = line.tool_use_result ?? line.toolUseResult
    for (const [index, block] of blocks.entries()) {
      const callId = block.tool_use_id ?? calls.oldestOf(agentId)
      if (callId === undefined) {
        out.push(...unmapped(block))
        continue
      }
      const call = calls.get(callId)
      const ownResult = index === 0 ? structured : undefined
      if (call !== undefined && block.is_error !== true) call.isLaunched = isLaunch(block, ownResult)
      subagents.linkCall(callId, (ownResult as { readonly agentId?: Json } | null | undefined)?.agentId ?? line.agentId)
      const output = outputOf(block, callId, call, ownResult)
      calls.note(output)
      subagents.endAfterReport(out, output)
      out.push(...withAgent([output, ...filesOf(block, callId)], agentId))
      subagents.endAfterResult(out, output)
    }
  }

  function readPrompt(out: Out, line: UserLine, blocks: readonly UserBlock[], messageId: string): void {
    const text = joinedText(blocks)
    const mark = markOf(text)
    if (line.isReplay === true && prompts.has(mark)) return
    rememberOne(prompts, mark, MAX_PROMPTS)
    endings.resume(out, 'user')
    endOpenMessage(out)
    if (INTERRUPTED.test(text)) {
      endings.interrupt()
      out.push({ type: 'control', action: 'stop', by: 'user' })
    }
    addMessage(out, messageId, roleOf(line, text), blocks)
  }

  function steer(content: UserContent, messageId: string): readonly StreamEvent[] {
    const blocks = blocksOf(content)
    const mark = markOf(joinedText(blocks))
    if (steering.delete(mark)) return SILENT
    rememberOne(steering, mark, MAX_PROMPTS)
    const out: Out = []
    readPrompt(out, { type: 'user', message: '' }, blocks, messageId)
    return out
  }

  return {
    read(line: UserLine): readonly StreamEvent[] {
      const { message, uuid } = line
      const content = typeof message === 'string' ? message : message.content
      const blocks = blocksOf(content)
      if (blocks.length === 0) return isEmpty(line) ? SILENT : unmapped(line)
      const mark = markOf(content)
      if (lines.isRepeated(uuid, mark)) return SILENT
      const promptBlocks = blocks.filter(({ type }) => type !== 'tool_result')
      const text = joinedText(promptBlocks)
      const agentId = subagents.agentOf(line, text || undefined)
      const messageId = uuid ?? mint()
      lines.note(uuid, { content: mark, messageId, agentId, blockIds: [] })
      const out: Out = []
      const isAnnounced = subagents.announce(out, agentId, line, text || undefined)
      readResults(
        out,
        line,
        blocks.filter(({ type }) => type === 'tool_result'),
        agentId,
      )
      if (promptBlocks.length === 0) return out
      if (agentId === undefined) readPrompt(out, line, promptBlocks, messageId)
      else {
        // The task of a subagent is left out, because its call or its announcement holds it.
        const isTask = isAnnounced || text === calls.get(agentId)?.task
        const shown = isTask ? promptBlocks.filter(({ type }) => type !== 'text') : promptBlocks
        const added: Out = []
        if (shown.length > 0) addMessage(added, messageId, roleOf(line, text), shown)
        out.push(...withAgent(added, agentId))
      }
      return understood(out)
    },
    /** A prompt that was queued while the agent worked. */
    attachment(line: PlainLine<'attachment'>): readonly StreamEvent[] {
      const { type, prompt } = objectIn(line, 'attachment') as { type?: Json; prompt?: UserContent }
      if (type !== 'queued_command' || prompt === undefined) return [lineMetadata('attachment', line)]
      return steer(prompt, line.uuid ?? mint())
    },
    queued(line: PlainLine<'queue-operation'>): readonly StreamEvent[] {
      const { operation, content } = line
      if (operation !== 'remove' || typeof content !== 'string') return [lineMetadata('queue-operation', line)]
      return steer(content, mint())
    },
    /** The output of a command of the program. */
    outputOf(line: SystemLine): readonly StreamEvent[] {
      const { content, uuid } = line
      if (content === undefined || content === null) return unmapped(line)
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const out: Out = []
      endOpenMessage(out)
      addMessage(out, uuid ?? mint(), 'system', [{ type: 'text', text }])
      return out
    },
  }
}

/** Whether a line is understood and has no content. */
function isEmpty({ message, tool_use_result, toolUseResult }: UserLine): boolean {
  const isReadable = typeof message === 'string' || Array.isArray(message.content)
  return isReadable && tool_use_result === undefined && toolUseResult === undefined
}

function blocksOf(content: UserContent | null | undefined): readonly UserBlock[] {
  const parts = typeof content === 'string' ? [content].filter((text) => text !== '') : (content ?? [])
  return parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
}

/** The texts of all text blocks, one per line. */
function joinedText(blocks: readonly UserBlock[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
}

/** How the program reports, in the user role, that the user stopped it. */
const INTERRUPTED = /^\[Request interrupted by user/

/** The role of a line. The program itself writes many of the lines in the user role. */
function roleOf({ isSynthetic, isMeta, isCompactSummary, origin }: UserLine, text: string): Role {
  const isWritten = isSynthetic || isMeta || isCompactSummary || INTERRUPTED.test(text)
  return isWritten || (origin?.kind ?? 'human') !== 'human' ? 'system' : 'user'
}

/** A whole message of the user, of the program, or of the agent. */
export function addMessage(out: Out, messageId: string, role: Role, blocks: readonly UserBlock[]): void {
  out.push({ type: 'message-start', messageId, role })
  for (const [index, block] of blocks.entries()) addBlock(out, block, `${messageId}:${index}`, messageId)
  out.push({ type: 'message-end', messageId })
}

function addBlock(out: Out, block: UserBlock, blockId: string, messageId: string): void {
  const { type, ...data } = block
  const file = mediaFile(block, blockId)
  if (file !== undefined) out.push({ ...file, messageId })
  else if (type === 'document' || type === 'search_result')
    out.push({ type: 'data', name: type, id: blockId, data: data as never, messageId })
  else if (type !== 'text') out.push(...unmapped(block))
  else if (block.text) {
    out.push({ type: 'block-start', blockId, kind: 'text', messageId })
    out.push({ type: 'block-delta', blockId, text: block.text }, { type: 'block-end', blockId })
  }
}

/** How the program reports, in a tool's result, that a person rejected the call. */
const DENIED = /^(The user doesn't want to proceed with this tool use|Permission to use .* (has been )?denied)/
const CANCELLED = /^(\[Request interrupted by user|The user doesn't want to take this action right now)/

/** A tool's result: the content that the model gets, and the structured result beside it. */
function outputOf(block: UserBlock, callId: string, call: Call | undefined, structured: Json | undefined) {
  const content = block.content ?? ''
  const text = textOf(content) || textOf(block.error ?? '')
  const status = block.is_error === true ? failureOf(text, call) : 'ok'
  // The structured result is left out if it only repeats the content.
  const isRepeated =
    typeof structured === 'string' ? text.includes(structured) : JSON.stringify(structured) === JSON.stringify(content)
  const output: EventOf<'tool-output'> = {
    type: 'tool-output',
    callId,
    status,
    output: content,
    ...(status !== 'ok' && { error: text || 'The tool failed' }),
    ...keep('claude', { tool_use_result: isRepeated ? undefined : structured }),
  }
  return output
}

function failureOf(text: string, call: Call | undefined): ToolStatus {
  if (call?.isDenied || DENIED.test(text)) return 'denied'
  return CANCELLED.test(text) ? 'cancelled' : 'error'
}

function filesOf({ content }: UserBlock, callId: string): StreamEvent[] {
  const parts = Array.isArray(content) ? (content as readonly Json[]) : []
  return parts.flatMap(
    (part, index) => (isJsonObject(part) && mediaFile(part, `${callId}:file-${index}`, callId)) || [],
  )
}

/** Whether a call only launched its subagent, which keeps running. */
function isLaunch(block: UserBlock, structured: Json | undefined): boolean {
  const status = (structured as { readonly status?: Json } | null | undefined)?.status
  if (typeof status === 'string') return status.endsWith('_launched')
  return /^\s*(async|remote|background)\b[^.\n]*\blaunched\b/i.test(textOf(block.content ?? ''))
}
