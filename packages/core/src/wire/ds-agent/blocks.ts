import { remember } from '../../data/remember.ts'
import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { type Fields, mergeMeta, underMillrace } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { actionThought } from './action-step.ts'
import type { AnswerTracker } from './answer.ts'
import { finalAnswer } from './final-answer.ts'
import { chatRoleOf, generalTemplate } from './general.ts'
import type { MessageTemplate, Step } from './message.ts'
import type { Outbox, Speaker } from './outbox.ts'
import { planningContent } from './planning-step.ts'
import type { Roles } from './roles.ts'
import type { Steps } from './steps.ts'
import { createStream, type MessageStream, type Pacing } from './stream.ts'

export type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

/** The fields of a block besides its text. */
interface BlockDetails {
  readonly start: Fields
  meta: Meta | undefined
  citations: readonly Json[] | undefined
  signature: string | undefined
  encrypted: string | undefined
  interrupted: boolean | undefined
}

interface Block {
  readonly stream: MessageStream
  readonly template: MessageTemplate
  readonly speaker: Speaker
  readonly details: BlockDetails
  /** The step if the block may be the answer; otherwise undefined. */
  readonly answerStep: Step | undefined
  /** `begunCount` of the tracker at its start: a text during which something else began is not the answer. */
  readonly begunCount: number
}

/** A block whose last message was sent; its text may still be replaced. */
type EmittedBlock = Pick<Block, 'template' | 'speaker' | 'details'> & {
  /** Undefined if it had nothing to send. */
  readonly messageId: string | undefined
}

/** The most such blocks that are remembered. */
const MOST_EMITTED = 256

export interface RunContext {
  readonly outbox: Outbox
  readonly steps: Steps
  readonly answer: AnswerTracker
  readonly roles: Roles
  readonly pacing: Pacing
}

/** Every block is one message, sent in phases. */
export function blockRows({ outbox, steps, answer, roles, pacing }: RunContext): BlockRows {
  const open = new Map<string, Block>()
  const emitted = new Map<string, EmittedBlock>()

  function start(event: EventOf<'block-start'>): void {
    const { blockId, kind, variant, agentId, meta } = event
    const role = roles.roleOf(event)
    const isAssistant = role === 'assistant'
    const isMain = isAssistant && agentId === undefined
    if (!isAssistant && agentId === undefined) steps.leave()
    if (agentId === undefined) answer.otherBegan()
    const step = isMain ? steps.ensure() : isAssistant ? steps.current() : undefined
    const template = isAssistant ? templateOf(event, isMain ? step : undefined, step) : generalTemplate()
    const speaker = { role: chatRoleOf(role), step }
    const isOther = role === 'system' || role === 'tool'
    const details = detailsOf({ kind, variant, blockId, agentId, role: isOther ? role : undefined }, meta)
    const mayAnswer = kind === 'text' && variant !== 'commentary' && variant !== 'plan' && step?.kind !== 'planning'
    const answerStep = isMain && mayAnswer ? step : undefined
    const stream = createStream(outbox, pacing, template, speaker, details.start)
    open.set(blockId, { stream, template, speaker, details, answerStep, begunCount: answer.begunCount() })
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, text, citations, signature, encrypted, meta } = event
    const block = open.get(blockId)
    const details = block?.details ?? emitted.get(blockId)?.details
    if (details === undefined) {
      outbox.riders.add(event)
      return
    }
    details.meta = mergeMeta(details.meta, meta)
    details.citations = citations ?? details.citations
    details.signature = signature ?? details.signature
    details.encrypted = encrypted ?? details.encrypted
    if (block === undefined) emitAgain(event)
    else if (text !== undefined) rewrite(block.stream, text)
  }

  /** Sends a whole message again, because the text was replaced after it was sent. */
  function emitAgain(event: EventOf<'block-patch'>): void {
    const block = emitted.get(event.blockId)
    if (block === undefined || event.text === undefined) {
      outbox.riders.add(event)
      return
    }
    const { content, metadata } = block.template.whole(event.text, true)
    const extra = underMillrace({ ...extraOf(block.details), isRewritten: true })
    const state = { streaming: false, status: 'done', is_delta: false }
    const messageId = block.messageId ?? outbox.ids.next()
    outbox.emitAs(messageId, content, { ...metadata, ...state, ...extra }, block.speaker)
    remember(emitted, event.blockId, { ...block, messageId }, MOST_EMITTED)
  }

  function end({ blockId, interrupted, meta }: EventOf<'block-end'>): void {
    const block = open.get(blockId)
    if (block === undefined) return
    const { stream, template, speaker, details, answerStep: step } = block
    details.interrupted = interrupted
    details.meta = mergeMeta(details.meta, meta)
    const extra = () => extraOf(details)
    const close = (messageId: string | undefined, last: MessageTemplate) => {
      open.delete(blockId)
      remember(emitted, blockId, { template: last, speaker, details, messageId }, MOST_EMITTED)
    }
    if (isEmpty(block)) {
      stream.withdraw()
      close(undefined, template)
    } else if (step === undefined || stream.text() === '' || block.begunCount !== answer.begunCount()) {
      close(stream.finish(template, extra()), template)
    } else answer.offer({ stream, step, extra, onEmitted: close })
  }

  return {
    'block-start': start,
    'block-delta'({ blockId, text, meta }) {
      const block = open.get(blockId)
      if (block === undefined) return
      if (meta !== undefined) block.details.meta = mergeMeta(block.details.meta, meta)
      block.stream.add(text)
    },
    'block-patch': patch,
    'block-end': end,
  }
}

/** A plan in a planning step, the answer in a final step, otherwise a thought. */
function templateOf(
  { kind, variant }: EventOf<'block-start'>,
  main: Step | undefined,
  step: Step | undefined,
): MessageTemplate {
  if (main?.kind === 'planning') return planningContent(main)
  if (main !== undefined && variant === 'plan') return planningContent({ kind: 'planning', number: main.number })
  return main?.kind === 'final' && kind === 'text' ? finalAnswer(main) : actionThought(step)
}

/** A text that only adds to the current one is sent as a delta. */
function rewrite(stream: MessageStream, whole: string): void {
  const before = stream.text()
  if (whole !== before && whole.startsWith(before)) stream.add(whole.slice(before.length))
  else stream.rewrite(whole)
}

function detailsOf(start: Fields, meta: Meta | undefined): BlockDetails {
  return { start, meta, citations: undefined, signature: undefined, encrypted: undefined, interrupted: undefined }
}

function extraOf({ start, ...more }: BlockDetails): Fields {
  return { ...start, ...more }
}

/** Whether a block has nothing to send: no text, citations, signature or encrypted content. */
function isEmpty({ stream, details }: Block): boolean {
  if (stream.isOpen() || stream.text() !== '') return false
  return details.citations === undefined && details.signature === undefined && details.encrypted === undefined
}
