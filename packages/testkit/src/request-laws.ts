import { type ChatEvent, createFold } from '@millrace/core/fold'
import {
  type MessageOptions,
  toAnthropicMessages,
  toGemini,
  toModelMessages,
  toOpenAIChat,
  toOpenAIResponses,
  withFiles,
} from '@millrace/core/messages'
import type { Run } from './fold-laws.ts'
import { refusalsOf } from './provider-rules.ts'

/** A picture of one point: it stands for every file. */
const load = () => Promise.resolve({ bytes: 'iVBORw0KGgo=' })

async function requestsOf(chatEvents: readonly ChatEvent[], options: MessageOptions) {
  return [
    await withFiles(toAnthropicMessages(chatEvents, options), load),
    await withFiles(toOpenAIChat(chatEvents, options), load),
    await withFiles(toOpenAIResponses(chatEvents, options), load),
    await withFiles(toGemini(chatEvents, options), load),
    await withFiles(toModelMessages(chatEvents, options), load),
  ]
}

type MadeRequest = Awaited<ReturnType<typeof requestsOf>>[number]

/** A request that a provider may get, and why it would refuse it. */
export interface JudgedRequest {
  readonly request: MadeRequest
  readonly vendor: string | undefined
  readonly refusals: readonly string[]
}

const input = { text: 'Go on.' }

/** What a history may be asked for: as it is, by the model that began it, and as services of their own rules take it. */
function optionsFor(chatEvents: readonly ChatEvent[]): readonly MessageOptions[] {
  const model = chatEvents.find((chatEvent) => chatEvent.model !== undefined)?.model
  const named = model === undefined ? {} : { model }
  return [
    { input },
    { input, ...named, vendor: 'deepseek' },
    { input, model: 'gemini-3-pro-preview', vendor: 'mistral', thinkTags: 'keep' },
    { input, lastTurns: 1, vendor: 'groq' },
  ]
}

/** The requests of one history to every target, files loaded, each judged by the rules of its provider. */
export async function judgedRequests(chatEvents: readonly ChatEvent[]): Promise<readonly JudgedRequest[]> {
  const judged: JudgedRequest[] = []
  for (const options of optionsFor(chatEvents)) {
    const { vendor, model } = options
    const facts = { chatEvents, ...(vendor !== undefined && { vendor }), ...(model !== undefined && { model }) }
    for (const request of await requestsOf(chatEvents, options))
      judged.push({ request, vendor, refusals: refusalsOf(request, facts) })
  }
  return judged
}

/** The histories of a run that was cut behind up to so many of its entries, evenly; the whole one is among them. */
export function* historiesOf({ entries }: Run, cuts: number): Generator<readonly ChatEvent[]> {
  const fold = createFold({ runId: 'run' })
  const every = Math.max(1, Math.ceil(entries.length / cuts))
  for (const [index, entry] of entries.entries()) {
    fold.push([entry])
    if (index % every === 0 || index === entries.length - 1) yield fold.snapshot().chatEvents
  }
}
