import { remember } from '../data/remember.ts'
import { MAX_ANSWER, mayBeAnswer, readAnswer } from '../data/structured-answer.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { type CreatePass, type PassRows, rowOf, scopeOf } from './pass.ts'
import { createMessageAuthors } from './think-tags/message-authors.ts'

/** How much of a text decides whether it is collected: white space may precede the answer. */
const BEGINNING = 64

/** The most blocks that are remembered, and the most text of all of them. */
const MOST_BLOCKS = 1024
const MOST_TEXT = 4 * MAX_ANSWER

/** An open block. */
interface OpenBlock {
  /** Whether it is a text of an assistant. */
  readonly mayAnswer: boolean
  /** The text so far; undefined if it is no structured answer. */
  text: string | undefined
}

/**
 * Adds the structured answer that the text of an assistant is, before the block ends. The text stays. Only texts that
 * begin as such an answer does are collected, up to the length that is read.
 */
export const structuredAnswers: CreatePass = (emit) => {
  const authors = createMessageAuthors()
  const blocks = new Map<string, OpenBlock>()
  /** The length of all texts that are collected. */
  let collected = 0

  function open(blockId: string, mayAnswer: boolean): OpenBlock {
    forget(blockId)
    const [oldest] = blocks.size < MOST_BLOCKS ? [] : blocks.keys()
    if (oldest !== undefined) forget(oldest)
    return remember(blocks, blockId, { mayAnswer, text: mayAnswer ? '' : undefined }, MOST_BLOCKS)
  }

  function forget(blockId: string): void {
    collected -= blocks.get(blockId)?.text?.length ?? 0
    blocks.delete(blockId)
  }

  function collect(block: OpenBlock, text: string | undefined): void {
    collected -= block.text?.length ?? 0
    const isSmall = text !== undefined && text.length <= MAX_ANSWER && collected + text.length <= MOST_TEXT
    // The beginning is looked at while it is short: it decides.
    const mayBe = isSmall && (text.length > 2 * BEGINNING || mayBeAnswer(text.slice(0, BEGINNING)))
    block.text = mayBe ? text : undefined
    collected += block.text?.length ?? 0
  }

  const rows: PassRows = {
    'message-start': authors.start,
    'message-end': authors.end,
    'subagent-end': ({ agentId }) => authors.endAgent(agentId),
    'block-start'(event) {
      open(event.blockId, event.kind === 'text' && event.variant === undefined && authors.isAssistant(event))
    },
    'block-delta'(event) {
      const block = blocks.get(event.blockId) ?? open(event.blockId, authors.isAssistant(event))
      if (block.text !== undefined) collect(block, block.text + event.text)
    },
    'block-patch'({ blockId, text, answer }) {
      const block = blocks.get(blockId)
      if (block === undefined || !block.mayAnswer) return
      // The stream itself may say what the answer is.
      if (text !== undefined || answer !== undefined) collect(block, answer === undefined ? text : undefined)
    },
    'block-end': addAnswer,
  }

  function addAnswer(event: EventOf<'block-end'>): void {
    const text = blocks.get(event.blockId)?.text
    const answer = text === undefined ? undefined : readAnswer(text)
    forget(event.blockId)
    if (answer !== undefined) emit({ ...scopeOf(event), type: 'block-patch', blockId: event.blockId, answer })
  }

  return {
    push(event: StreamEvent) {
      rowOf(rows, event)?.(event)
      emit(event)
    },
    end() {
      blocks.clear()
      collected = 0
    },
  }
}
