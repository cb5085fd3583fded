import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import type { Blocks } from './blocks.ts'
import { type Calls, startCall } from './calls.ts'
import { inlineFile, linkedFile } from './files.ts'
import { keep } from './meta.ts'
import { type Mint, NOTHING, type Place } from './place.ts'
import type { FunctionResponse, Part, PartContent } from './raw.ts'
import { codeResultOf, resultOf } from './results.ts'

/** The parts of one candidate: what is open, and how what comes is called. */
export interface Parts {
  readonly place: Place
  readonly mint: Mint
  readonly blocks: Blocks
  readonly calls: Calls
}

/** What stands in a part, its events; `undefined` where it is not as it should be. */
type Row<Field extends keyof PartContent> = (
  content: PartContent[Field],
  part: Part,
  parts: Parts,
) => readonly StreamEvent[] | undefined

/** The provider runs code under no name of its own. */
const CODE = 'code_execution'

const rows: { readonly [Field in keyof PartContent]: Row<Field> } = {
  text(text, { thought, thoughtSignature }, { blocks, calls }) {
    const events = blocks.add(thought === true ? 'reasoning' : 'text', text, thoughtSignature)
    if (events.length === 0) return NOTHING
    const closed = calls.close()
    return closed.length === 0 ? events : [...closed, ...events]
  },
  functionCall(call, { thoughtSignature }, { blocks, calls }) {
    const isMore = calls.goesOn(call)
    const events = calls.read(call, thoughtSignature)
    if (events === undefined || events.length === 0 || isMore) return events
    blocks.skipPart()
    return [...blocks.close(), ...events]
  },
  functionResponse(response, { thoughtSignature }, parts) {
    const { id, name } = response
    const { place, mint } = parts
    const asked = place.unanswered.take(id, name ?? '')
    const callId = asked ?? id ?? mint('response')
    return [
      ...interrupt(parts),
      ...(asked === undefined && name ? [foundCall(callId, name, place)] : []),
      { type: 'tool-output', callId, ...resultOf(response.response), ...keep({ thoughtSignature }) },
      ...filesOf(response, callId, parts),
    ]
  },
  executableCode({ id, language, code }, { thoughtSignature }, parts) {
    if (typeof code !== 'string') return undefined
    const callId = id ?? parts.mint('code')
    const input = language === null || language === undefined ? { code } : { language, code }
    return [
      ...interrupt(parts),
      startCall(parts.place, callId, CODE, 'provider', { thoughtSignature }),
      { type: 'tool-input', callId, input },
    ]
  },
  codeExecutionResult(result, { thoughtSignature }, parts) {
    const { id, outcome } = result
    const callId = parts.place.unanswered.take(id, CODE) ?? id ?? parts.mint('code-result')
    return [
      ...interrupt(parts),
      { type: 'tool-output', callId, ...codeResultOf(result), ...keep({ outcome, thoughtSignature }) },
    ]
  },
  toolCall({ id, toolType, args }, { thoughtSignature }, parts) {
    const callId = id ?? parts.mint('tool')
    return [
      ...interrupt(parts),
      startCall(parts.place, callId, nameOf(toolType), 'provider', { toolType, thoughtSignature }),
      { type: 'tool-input', callId, input: args ?? {} },
    ]
  },
  toolResponse({ id, toolType, response }, { thoughtSignature }, parts) {
    const callId = parts.place.unanswered.take(id, nameOf(toolType)) ?? id ?? parts.mint('tool-response')
    return [
      ...interrupt(parts),
      { type: 'tool-output', callId, ...resultOf(response), ...keep({ toolType, thoughtSignature }) },
    ]
  },
  inlineData(inline, { thought, thoughtSignature }, parts) {
    const kept = { thought, thoughtSignature }
    return [...interrupt(parts), inlineFile(inline, parts.mint('file'), { messageId: parts.place.messageId, kept })]
  },
  fileData(linked, { thought, thoughtSignature }, parts) {
    const kept = { thought, thoughtSignature }
    return [...interrupt(parts), linkedFile(linked, parts.mint('file'), { messageId: parts.place.messageId, kept })]
  },
  audioTranscription: (transcription, _part, { place: { messageId } }) => [
    { type: 'data', name: 'audio-transcription', messageId, data: transcription as Json },
  ],
}
const table = Object.entries(rows) as [keyof PartContent, Row<never>][]

/** The events of one part. What is not understood of it is kept. */
export function partEvents(part: Part, parts: Parts): readonly StreamEvent[] {
  if (typeof part.text === 'string') return rows.text(part.text, part, parts) ?? NOTHING
  for (const [field, row] of table) {
    const content = part[field]
    if (content === null || content === undefined) continue
    return (isJsonObject(content) ? row(content as never, part, parts) : undefined) ?? unmapped(part)
  }
  if (typeof part.thoughtSignature === 'string') return rows.text('', part, parts) ?? NOTHING
  return Object.values(part).some((value) => value !== null && value !== undefined) ? unmapped(part) : NOTHING
}

/** Another kind of part begins: what is open ends. */
function interrupt({ blocks, calls }: Parts): StreamEvent[] {
  blocks.skipPart()
  return [...blocks.close(), ...calls.close()]
}

/** A call of an earlier response: all that is known of it is the name that its result tells. */
function foundCall(callId: string, name: string, { messageId }: Place): StreamEvent {
  return { type: 'tool-start', callId, messageId, name, runBy: 'client', meta: { millrace: { orphan: true } } }
}

function nameOf(toolType: unknown): string {
  return typeof toolType === 'string' ? toolType.toLowerCase() : 'tool'
}

/** Media that a function gave back beside its answer. */
function filesOf({ parts: media }: FunctionResponse, callId: string, { place, mint }: Parts): StreamEvent[] {
  const beside = { messageId: place.messageId, callId }
  return (media ?? []).flatMap(({ inlineData, fileData }) => [
    ...(inlineData ? [inlineFile(inlineData, mint('file'), beside)] : []),
    ...(fileData ? [linkedFile(fileData, mint('file'), beside)] : []),
  ])
}
