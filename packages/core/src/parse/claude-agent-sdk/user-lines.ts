import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Calls } from './calls.ts'
import type { Endings } from './endings.ts'
import { aside, objectIn } from './fields.ts'
import { type Lines, markOf } from './lines.ts'
import type { PlainLine, SystemLine, UserBlock, UserContent, UserLine } from './raw.ts'
import type { Subagents } from './subagents.ts'
import { finish, placed, type Thread } from './threads.ts'
import { isLaunch, toolResult } from './tool-results.ts'
import { blocksOf, contentOf, isInterruption, messageEvents, roleOf, wordsOf } from './user.ts'

interface Session {
  readonly calls: Calls
  readonly threads: { of(agentId: string | undefined): Thread }
  readonly lines: Lines
  readonly subagents: Subagents
  readonly endings: Endings
  /** An id for a message whose line has none. */
  mint(): string
}

/** Lines in the user's place: results of tools, what a person writes, what the program writes. */
export interface UserLines {
  read(line: UserLine): readonly StreamEvent[]
  /** A prompt that was given while the agent worked, and taken from the queue. */
  attachment(line: PlainLine<'attachment'>): readonly StreamEvent[]
  queued(line: PlainLine<'queue-operation'>): readonly StreamEvent[]
  /** What a command of the program printed. */
  outputOf(line: SystemLine): readonly StreamEvent[]
  /** A whole answer of the agent's. */
  answer(text: string, messageId: string): readonly StreamEvent[]
}

/** How many prompts are remembered, so that their replay is known. */
const MAX_PROMPTS = 256

export function createUserLines({ calls, threads, lines, subagents, endings, mint }: Session): UserLines {
  const prompts = new Set<string>()
  /** Prompts from the queue: they are told by the queue, by the conversation, or by both. */
  const steering = new Set<string>()

  /** Ends what is open before another speaks, unless its stream is under way. */
  function interrupt(): StreamEvent[] {
    const main = threads.of(undefined)
    return main.open?.isStreaming ? [] : finish(main)
  }

  function results(line: UserLine, blocks: readonly UserBlock[], agentId: string | undefined): StreamEvent[] {
    const structured = line.tool_use_result ?? line.toolUseResult
    return blocks.flatMap((block, place) => {
      const callId = block.tool_use_id ?? calls.oldestOf(agentId)
      if (callId === undefined) return unmapped(block)
      const call = calls.get(callId)
      const own = place === 0 ? structured : undefined
      if (call !== undefined && block.is_error !== true) call.isLaunched = isLaunch(block, own)
      subagents.name(callId, (own as { readonly agentId?: Json } | null | undefined)?.agentId ?? line.agentId)
      const events = toolResult(block, callId, call, own)
      for (const event of events) calls.note(event)
      return [
        ...subagents.reported(callId, events[0]),
        ...placed(events, agentId),
        ...events.flatMap(subagents.answered),
      ]
    })
  }

  function prompt(line: UserLine, blocks: readonly UserBlock[], messageId: string): StreamEvent[] {
    const words = wordsOf(blocks)
    const mark = markOf(words)
    if (line.isReplay === true && prompts.has(mark)) return []
    rememberOne(prompts, mark, MAX_PROMPTS)
    const stopped: StreamEvent[] = isInterruption(words) ? [{ type: 'control', action: 'stop', by: 'user' }] : []
    const resumed = endings.goOn('user')
    if (stopped.length > 0) endings.interrupt()
    return [...resumed, ...interrupt(), ...stopped, ...messageEvents(messageId, roleOf(line, words), blocks)]
  }

  /** What a subagent is told. Its task was told by the call that started it, or when it was announced. */
  function told(
    line: UserLine,
    blocks: readonly UserBlock[],
    place: { readonly messageId: string; readonly agentId: string; readonly isTask: boolean },
  ): readonly StreamEvent[] {
    const { messageId, agentId } = place
    const words = wordsOf(blocks)
    const isTask = place.isTask || words === calls.get(agentId)?.task
    const heard = isTask ? blocks.filter(({ type }) => type !== 'text') : blocks
    return heard.length === 0 ? [] : placed(messageEvents(messageId, roleOf(line, words), heard), agentId)
  }

  function steer(content: UserContent, messageId: string): readonly StreamEvent[] {
    const blocks = blocksOf(content)
    const mark = markOf(wordsOf(blocks))
    if (steering.delete(mark)) return SILENT
    rememberOne(steering, mark, MAX_PROMPTS)
    return prompt({ type: 'user', message: '' }, blocks, messageId)
  }

  return {
    read(line) {
      const blocks = contentOf(line)
      if (blocks.length === 0) return isEmpty(line) ? SILENT : unmapped(line)
      const mark = markOf(typeof line.message === 'string' ? line.message : line.message.content)
      if (lines.isKnown(line.uuid, mark)) return SILENT
      const answers = blocks.filter(({ type }) => type === 'tool_result')
      const said = blocks.filter(({ type }) => type !== 'tool_result')
      const agentId = subagents.of(line, wordsOf(said) || undefined)
      const messageId = line.uuid ?? mint()
      lines.note(line.uuid, { content: mark, messageId, agentId, blockIds: [] })
      const announced = subagents.announce(agentId, line, wordsOf(said) || undefined)
      const outputs = results(line, answers, agentId)
      if (said.length === 0) return [...announced, ...outputs]
      const isTask = announced.length > 0
      const words =
        agentId === undefined ? prompt(line, said, messageId) : told(line, said, { messageId, agentId, isTask })
      return understood([...announced, ...outputs, ...words])
    },
    attachment(line) {
      const { type, prompt: given } = objectIn(line, 'attachment') as { type?: Json; prompt?: UserContent }
      if (type !== 'queued_command' || given === undefined) return [aside('attachment', line)]
      return steer(given, line.uuid ?? mint())
    },
    queued(line) {
      const { operation, content } = line
      if (operation !== 'remove' || typeof content !== 'string') return [aside('queue-operation', line)]
      return steer(content, mint())
    },
    outputOf(line) {
      const text = typeof line.content === 'string' ? line.content : JSON.stringify(line.content ?? '')
      return [...interrupt(), ...messageEvents(line.uuid ?? mint(), 'system', [{ type: 'text', text }])]
    },
    answer: (text, messageId) => messageEvents(messageId, 'assistant', [{ type: 'text', text }]),
  }
}

/** Whether a line has nothing to say, rather than something that is not understood. */
function isEmpty({ message, tool_use_result, toolUseResult }: UserLine): boolean {
  const isKnown = typeof message === 'string' || Array.isArray(message.content)
  return isKnown && tool_use_result === undefined && toolUseResult === undefined
}
