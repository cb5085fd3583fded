import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { Json } from '../../json.ts'
import { createItems } from '../kit/items.ts'
import type { UniqueIds } from '../kit/unique-ids.ts'
import { createVoice, type Manner, type Out, type Voice } from '../kit/voice.ts'
import { type Call, startWaitingCall } from './calls.ts'

/** The state that outlives one response. */
export interface Run {
  readonly ids: UniqueIds
  /** Calls without an output. */
  readonly openCalls: Set<string>
}

/** One choice of one response, which is one message. Alternatives (`n` > 1) are separate messages. */
export type Speaker = ReturnType<typeof stateOf> & { readonly voice: Voice }

export function newSpeaker(messageId: string, run: Run): Speaker {
  const voice = createVoice((kind, number) => {
    speaker.hasContent = true
    if (kind === 'text') speaker.texts += 1
    else {
      speaker.isSealed = false
      speaker.detail = undefined
      speaker.isFieldNamed = false
    }
    return `${messageId}:${number - 1}`
  })
  const speaker: Speaker = Object.assign(stateOf(messageId, run), { voice })
  return speaker
}

function stateOf(messageId: string, run: Run) {
  const manner = (kind: BlockKind, variant?: BlockVariant): Manner => ({ kind, variant, messageId })
  return {
    messageId,
    run,
    /** How each kind of prose begins. */
    manners: {
      text: manner('text'),
      refusal: manner('text', 'refusal'),
      thinking: manner('reasoning', 'thinking'),
      summary: manner('reasoning', 'summary'),
      redacted: manner('reasoning', 'redacted'),
    },
    /** Whether the last reasoning block has its encrypted form. */
    isSealed: false,
    /** What the last reasoning block is beside its text, as JSON, if the vendor sends its thoughts in detail. */
    detail: undefined as string | undefined,
    /** Whether the last reasoning block says in which field its text came. */
    isFieldNamed: false,
    texts: 0,
    /** The length of the text so far: a vendor may repeat all of it, or its last fragment. */
    textLength: 0,
    hasContent: false,
    /** Calls whose input may continue. */
    calls: [] as Call[],
    callCount: 0,
    /** Calls by index or by id. */
    callsByKey: new Map<number | string, Call>(),
    /** A call that has not started: more of its name may follow. */
    waitingCall: undefined as Call | undefined,
    /** Tools that the provider ran. */
    executed: createItems(),
    citations: [] as Json[],
    /** Keys of sources, annotations and files, which a vendor may send again. */
    seen: new Set<string>(),
    sources: 0,
    files: 0,
    isFinished: false,
    /** Whether the whole message was read: another one is that of another response, whatever its id. */
    isWhole: false,
    /** How often a role was sent: once, or with every chunk. */
    roles: 0,
    audio: undefined as string | undefined,
  }
}

/** Continues the open block if it is of this kind; otherwise begins a block. */
export function addText(out: Out, speaker: Speaker, manner: keyof Speaker['manners'], text: string): void {
  if (text === '') return
  if (speaker.waitingCall !== undefined) startWaitingCall(out, speaker)
  if (manner === 'text' || manner === 'refusal') speaker.textLength += text.length
  speaker.voice.say(out, speaker.manners[manner], text)
}
