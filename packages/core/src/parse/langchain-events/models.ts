import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type LangMessage, objectOf, readMessage, wordOf } from '../langchain/message.ts'
import { piecesOf } from '../langchain/pieces.ts'
import { understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { hear, placeOf, type Run, see } from './run.ts'

/** A model is asked. What it is asked with is told, unless it was said before. */
export function modelStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { input } = objectOf(raw.data)
  const prompts = isJsonObject(input) ? (input.messages ?? input.prompts ?? input) : (input ?? null)
  const list = flat(prompts)
  const { place, events } = placeOf(run, raw, true)
  const { teller, states } = run.graph
  const fresh = list.filter((prompt) => isFresh(run, prompt))
  const isFirst = !run.hasQuestion && place.scope.agentId === undefined
  run.hasQuestion = true
  const asked = isFirst ? fresh.map(readMessage).filter((message) => message?.role === 'user') : []
  for (const prompt of fresh) hear(run, keyOf(prompt))
  const rest = fresh.filter((prompt) => !isFirst || readMessage(prompt)?.role !== 'user').map(promptOf)
  return understood([
    ...events,
    ...asked.flatMap((message) => (message ? teller.whole(message, { ...place, isOneMessage: false }) : [])),
    ...(rest.length === 0
      ? []
      : states.write(['prompt', place.scope.key].filter(Boolean).join('|'), { messages: rest })),
  ])
}

/** Lists of lists, as models take them in batches. */
const flat = (value: Json): readonly Json[] => (Array.isArray(value) ? value.flatMap(flat) : [value])

/** Whether a prompt is new: neither a message that was told, nor one that was asked before, nor left out. */
function isFresh(run: Run, prompt: Json): boolean {
  if (run.said.has(keyOf(prompt))) return false
  const message = readMessage(prompt)
  if (message === undefined) return typeof prompt === 'string' ? /\s/.test(prompt) : isJsonObject(prompt)
  return !run.seen.has(message.id ?? '') && message.role !== 'tool'
}

const keyOf = (prompt: Json) => (typeof prompt === 'string' ? prompt : JSON.stringify(promptOf(prompt)))

function promptOf(prompt: Json): Json {
  const message = readMessage(prompt)
  return message === undefined ? prompt : { role: message.role, content: message.content as Json }
}

export function modelStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { chunk } = objectOf(raw.data)
  const message = messageOf(chunk ?? null, raw)
  if (message === undefined) return unmapped(raw)
  const { place, events } = placeOf(run, raw, true)
  const said = run.graph.teller.chunk({ ...message, isChunk: true }, place)
  return events.length === 0 ? understood(said) : [...events, ...said]
}

/** The whole message: what was streamed of it is not told again. */
export function modelEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  const message = messageOf(generated(output ?? null), raw)
  if (message === undefined)
    return output === undefined || output === null ? understood(endOf(run, raw)) : unmapped(raw)
  const { place, events } = placeOf(run, raw, true)
  see(run, message.id)
  for (const piece of piecesOf(message)) if (piece.kind === 'text') hear(run, piece.text)
  return understood([...events, ...run.graph.teller.whole(message, place)])
}

function endOf(run: Run, raw: RawEvent): StreamEvent[] {
  return run.graph.teller.endAll(placeOf(run, raw, true).place.scope)
}

/** Older versions give a list of lists of what the model might have said: the first is what it did say. */
function generated(output: Json): Json {
  const generations = isJsonObject(output) ? output.generations : undefined
  if (!Array.isArray(generations)) return output
  const first = flat(generations)[0] ?? null
  return isJsonObject(first) && first.message !== undefined ? first.message : first
}

/** A message; or the bare text of a model that knows no messages. */
function messageOf(value: Json, { run_id }: RawEvent): LangMessage | undefined {
  const message = readMessage(value)
  if (message !== undefined) return message.role === 'assistant' ? message : undefined
  const text = typeof value === 'string' ? value : isJsonObject(value) ? value.text : undefined
  if (typeof text !== 'string') return undefined
  return readMessage({ type: 'AIMessageChunk', content: text, id: wordOf(run_id) ?? null })
}
