import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Calls } from './calls.ts'
import type { Endings } from './endings.ts'
import { lineMetadata, objectIn } from './fields.ts'
import { type Lines, markOf } from './lines.ts'
import type { PlainLine, SystemLine, UserBlock, UserContent, UserLine } from './raw.ts'
import type { Subagents } from './subagents.ts'
import { finish, type Thread, withAgent } from './threads.ts'
import { isLaunch, toolResult } from './tool-results.ts'
import { blocksOf, contentOf, isInterruption, joinedText, messageEvents, roleOf } from './user.ts'

interface Session {
  readonly calls: Calls
  readonly threads: { of(agentId: string | undefined): Thread }
  readonly lines: Lines
  readonly subagents: Subagents
  readonly endings: Endings
  /** An id for a message whose line has none. */
  mint(): string
}

/** Reads lines of the user role: results of tools, prompts of a person, messages of the program. */
export interface UserLines {
  read(line: UserLine): readonly StreamEvent[]
  /** A prompt that was queued while the agent worked. */
  attachment(line: PlainLine<'attachment'>): readonly StreamEvent[]
  queued(line: PlainLine<'queue-operation'>): readonly StreamEvent[]
  /** The output of a command of the program. */
  outputOf(line: SystemLine): readonly StreamEvent[]
  /** A whole answer of the agent. */
  answer(text: string, messageId: string): readonly StreamEvent[]
}

/** How many prompts are remembered to recognise their replay. */
const MAX_PROMPTS = 256

export function createUserLines({ calls, threads, lines, subagents, endings, mint }: Session): UserLines {
  const prompts = new Set<string>()
  /** Queued prompts, which appear in the queue, in the conversation, or in both. */
  const steering = new Set<string>()

  /** Ends the open message before another begins, unless it is still streaming. */
  function endOpenMessage(): StreamEvent[] {
    const main = threads.of(undefined)
    return main.open?.isStreaming ? [] : finish(main)
  }

  function results(line: UserLine, blocks: readonly UserBlock[], agentId: string | undefined): StreamEvent[] {
    const structured = line.tool_use_result ?? line.toolUseResult
    return blocks.flatMap((block, index) => {
      const callId = block.tool_use_id ?? calls.oldestOf(agentId)
      if (callId === undefined) return unmapped(block)
      const call = calls.get(callId)
      const ownResult = index === 0 ? structured : undefined
      if (call !== undefined && block.is_error !== true) call.isLaunched = isLaunch(block, ownResult)
      subagents.linkCall(callId, (ownResult as { readonly agentId?: Json } | null | undefined)?.agentId ?? line.agentId)
      const events = toolResult(block, callId, call, ownResult)
      for (const event of events) calls.note(event)
      return [
        ...subagents.endAfterReport(callId, events[0]),
        ...withAgent(events, agentId),
        ...events.flatMap(subagents.endAfterResult),
      ]
    })
  }

  function prompt(line: UserLine, blocks: readonly UserBlock[], messageId: string): StreamEvent[] {
    const text = joinedText(blocks)
    const mark = markOf(text)
    if (line.isReplay === true && prompts.has(mark)) return []
    rememberOne(prompts, mark, MAX_PROMPTS)
    const stopped: StreamEvent[] = isInterruption(text) ? [{ type: 'control', action: 'stop', by: 'user' }] : []
    const resumed = endings.resume('user')
    if (stopped.length > 0) endings.interrupt()
    return [...resumed, ...endOpenMessage(), ...stopped, ...messageEvents(messageId, roleOf(line, text), blocks)]
  }

  /** A prompt to a subagent. Its task is left out, because its call or its announcement holds it. */
  function subagentPrompt(
    line: UserLine,
    blocks: readonly UserBlock[],
    scope: { readonly messageId: string; readonly agentId: string; readonly isTask: boolean },
  ): readonly StreamEvent[] {
    const { messageId, agentId } = scope
    const text = joinedText(blocks)
    const isTask = scope.isTask || text === calls.get(agentId)?.task
    const newBlocks = isTask ? blocks.filter(({ type }) => type !== 'text') : blocks
    return newBlocks.length === 0 ? [] : withAgent(messageEvents(messageId, roleOf(line, text), newBlocks), agentId)
  }

  function steer(content: UserContent, messageId: string): readonly StreamEvent[] {
    const blocks = blocksOf(content)
    const mark = markOf(joinedText(blocks))
    if (steering.delete(mark)) return SILENT
    rememberOne(steering, mark, MAX_PROMPTS)
    return prompt({ type: 'user', message: '' }, blocks, messageId)
  }

  return {
    read(line) {
      const blocks = contentOf(line)
      if (blocks.length === 0) return isEmpty(line) ? SILENT : unmapped(line)
      const mark = markOf(typeof line.message === 'string' ? line.message : line.message.content)
      if (lines.isRepeated(line.uuid, mark)) return SILENT
      const resultBlocks = blocks.filter(({ type }) => type === 'tool_result')
      const promptBlocks = blocks.filter(({ type }) => type !== 'tool_result')
      const agentId = subagents.agentOf(line, joinedText(promptBlocks) || undefined)
      const messageId = line.uuid ?? mint()
      lines.note(line.uuid, { content: mark, messageId, agentId, blockIds: [] })
      const announced = subagents.announce(agentId, line, joinedText(promptBlocks) || undefined)
      const outputs = results(line, resultBlocks, agentId)
      if (promptBlocks.length === 0) return [...announced, ...outputs]
      const isTask = announced.length > 0
      const promptEvents =
        agentId === undefined
          ? prompt(line, promptBlocks, messageId)
          : subagentPrompt(line, promptBlocks, { messageId, agentId, isTask })
      return understood([...announced, ...outputs, ...promptEvents])
    },
    attachment(line) {
      const { type, prompt: queuedPrompt } = objectIn(line, 'attachment') as { type?: Json; prompt?: UserContent }
      if (type !== 'queued_command' || queuedPrompt === undefined) return [lineMetadata('attachment', line)]
      return steer(queuedPrompt, line.uuid ?? mint())
    },
    queued(line) {
      const { operation, content } = line
      if (operation !== 'remove' || typeof content !== 'string') return [lineMetadata('queue-operation', line)]
      return steer(content, mint())
    },
    outputOf(line) {
      if (line.content === undefined || line.content === null) return unmapped(line)
      const text = typeof line.content === 'string' ? line.content : JSON.stringify(line.content)
      return [...endOpenMessage(), ...messageEvents(line.uuid ?? mint(), 'system', [{ type: 'text', text }])]
    },
    answer: (text, messageId) => messageEvents(messageId, 'assistant', [{ type: 'text', text }]),
  }
}

/** Whether a line is understood and has no content. */
function isEmpty({ message, tool_use_result, toolUseResult }: UserLine): boolean {
  const isReadable = typeof message === 'string' || Array.isArray(message.content)
  return isReadable && tool_use_result === undefined && toolUseResult === undefined
}
