import { remember } from '../../data/remember.ts'
import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { actionThought } from './action-step.ts'
import type { Answer } from './answer.ts'
import { finalAnswer } from './final-answer-step.ts'
import { generalSpeech, speakerOf } from './general.ts'
import { ownOf, type Speech, type Step } from './message.ts'
import type { Outbox, Place } from './outbox.ts'
import { planningContent } from './planning-step.ts'
import type { Speakers } from './speakers.ts'
import type { Steps } from './steps.ts'
import { createStream, type MessageStream, type Pacing } from './stream.ts'

export type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

/** What there is to say of a block beside its text. */
interface About {
  readonly start: Fields
  meta: Meta | undefined
  citations: readonly Json[] | undefined
  signature: string | undefined
  encrypted: string | undefined
  interrupted: boolean | undefined
}

interface Block {
  readonly stream: MessageStream
  readonly speech: Speech
  readonly place: Place
  readonly about: About
  /** The step whose answer it may be. */
  readonly answers: Step | undefined
  /** What the agent had begun by then: a text that other things began in is no answer. */
  readonly begun: number
}

/** A block that is said; its text may still turn out to be another. */
type Said = Pick<Block, 'speech' | 'place' | 'about'> & { readonly messageId: string }

/** How many of those are remembered. */
const MOST_SAID = 256

export interface Tellers {
  readonly outbox: Outbox
  readonly steps: Steps
  readonly answer: Answer
  readonly speakers: Speakers
  readonly pacing: Pacing
}

/** Every block is one message, which comes in phases. */
export function blockRows({ outbox, steps, answer, speakers, pacing }: Tellers): BlockRows {
  const open = new Map<string, Block>()
  const said = new Map<string, Said>()

  function start(event: EventOf<'block-start'>): void {
    const { blockId, kind, variant, agentId, meta } = event
    const role = speakers.roleOf(event)
    const isAgents = role === 'assistant'
    const isMain = isAgents && agentId === undefined
    if (!isAgents && agentId === undefined) steps.leave()
    if (agentId === undefined) answer.begin()
    const step = isMain ? steps.ensure() : isAgents ? steps.current() : undefined
    const speech = isAgents ? speechOf(event, isMain ? step : undefined, step) : generalSpeech()
    const place = { role: speakerOf(role), step }
    const isOther = role === 'system' || role === 'tool'
    const about = aboutOf({ kind, variant, blockId, agentId, role: isOther ? role : undefined }, meta)
    const mayAnswer = kind === 'text' && variant !== 'commentary' && variant !== 'plan' && step?.kind !== 'planning'
    const answers = isMain && mayAnswer ? step : undefined
    const stream = createStream(outbox, pacing, speech, place, about.start)
    open.set(blockId, { stream, speech, place, about, answers, begun: answer.begun() })
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, text, citations, signature, encrypted, meta } = event
    const block = open.get(blockId)
    const about = block?.about ?? said.get(blockId)?.about
    if (about === undefined) {
      outbox.riders.add(event)
      return
    }
    about.meta = mergeMeta(about.meta, meta)
    about.citations = citations ?? about.citations
    about.signature = signature ?? about.signature
    about.encrypted = encrypted ?? about.encrypted
    if (block === undefined) sayAgain(event)
    else if (text !== undefined) rewrite(block.stream, text)
  }

  /** Too late for the message that was to have all of it: it comes again, and replaces that one. */
  function sayAgain(event: EventOf<'block-patch'>): void {
    const known = said.get(event.blockId)
    if (known === undefined || event.text === undefined) {
      outbox.riders.add(event)
      return
    }
    const { content, metadata } = known.speech.whole(event.text, true)
    const own = ownOf({ ...ownOfBlock(known.about), isRewritten: true })
    const state = { streaming: false, status: 'done', is_delta: false }
    outbox.put(known.messageId, content, { ...metadata, ...state, ...own }, known.place)
  }

  function end({ blockId, interrupted, meta }: EventOf<'block-end'>): void {
    const block = open.get(blockId)
    if (block === undefined) return
    const { stream, speech, place, about, answers: step } = block
    about.interrupted = interrupted
    about.meta = mergeMeta(about.meta, meta)
    const own = () => ownOfBlock(about)
    const close = (messageId: string, last: Speech) => {
      open.delete(blockId)
      remember(said, blockId, { speech: last, place, about, messageId }, MOST_SAID)
    }
    if (isNothing(block)) {
      open.delete(blockId)
      stream.standBack()
    } else if (step === undefined || stream.text() === '' || block.begun !== answer.begun()) {
      close(stream.finish(speech, own()), speech)
    } else answer.offer({ stream, step, own, said: close })
  }

  return {
    'block-start': start,
    'block-delta'({ blockId, text, meta }) {
      const block = open.get(blockId)
      if (block === undefined) return
      if (meta !== undefined) block.about.meta = mergeMeta(block.about.meta, meta)
      block.stream.add(text)
    },
    'block-patch': patch,
    'block-end': end,
  }
}

/** Of an agent: a plan where it plans, the answer where it is known to be it, else a thought. */
function speechOf({ kind, variant }: EventOf<'block-start'>, main: Step | undefined, step: Step | undefined): Speech {
  if (main?.kind === 'planning') return planningContent(main)
  if (main !== undefined && variant === 'plan') return planningContent({ kind: 'planning', number: main.number })
  return main?.kind === 'final' && kind === 'text' ? finalAnswer(main) : actionThought(step)
}

/** The pieces go on where the whole only has more of the same. */
function rewrite(stream: MessageStream, whole: string): void {
  const before = stream.text()
  if (whole !== before && whole.startsWith(before)) stream.add(whole.slice(before.length))
  else stream.rewrite(whole)
}

function aboutOf(start: Fields, meta: Meta | undefined): About {
  return { start, meta, citations: undefined, signature: undefined, encrypted: undefined, interrupted: undefined }
}

function ownOfBlock({ start, ...more }: About): Fields {
  return { ...start, ...more }
}

/** A block without words is only said where it has something else to tell. */
function isNothing({ stream, about }: Block): boolean {
  if (stream.isOpen() || stream.text() !== '') return false
  return about.citations === undefined && about.signature === undefined && about.encrypted === undefined
}
