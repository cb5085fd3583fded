import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import type { Blocks } from './blocks.ts'
import { type Calls, startCall } from './calls.ts'
import { inlineFile, linkedFile } from './files.ts'
import { type CandidateScope, type MessageScope, type Mint, NOTHING } from './message-scope.ts'
import { keep } from './meta.ts'
import type { CodeExecutionResult, FunctionResponse, Part, PartContent } from './raw.ts'

/** The state that the parts of one candidate share. */
export interface Parts {
  readonly scope: CandidateScope
  readonly mint: Mint
  readonly blocks: Blocks
  readonly calls: Calls
}

/** Maps the content of a part to events; returns undefined if the content is not valid. */
type Row<Field extends keyof PartContent> = (
  content: PartContent[Field],
  part: Part,
  parts: Parts,
) => readonly StreamEvent[] | undefined

/** The name of the provider's code tool, which has none in the stream. */
const CODE = 'code_execution'

/** Text of an answer or of a thought, or the signature of one. */
function textEvents(text: string, { thought, thoughtSignature }: Part, { blocks, calls }: Parts) {
  const events = blocks.add(thought === true ? 'reasoning' : 'text', text, thoughtSignature)
  if (events.length === 0) return NOTHING
  const closed = calls.close()
  return closed.length === 0 ? events : [...closed, ...events]
}

const rows: { readonly [Field in Exclude<keyof PartContent, 'text'>]: Row<Field> } = {
  functionCall(call, { thoughtSignature }, { blocks, calls }) {
    const continuesOpen = calls.isContinuation(call)
    const events = calls.read(call, thoughtSignature)
    if (events === undefined || events.length === 0 || continuesOpen) return events
    blocks.skipPart()
    return [...blocks.close(), ...events]
  },
  functionResponse(response, { thoughtSignature }, parts) {
    const { id, name } = response
    const { scope, mint } = parts
    const openCallId = scope.unanswered.take(id, name ?? '')
    const callId = openCallId ?? id ?? mint('response')
    return [
      ...endOpen(parts),
      ...(openCallId === undefined && name ? [orphanCall(callId, name, 'client', scope)] : []),
      { type: 'tool-output', callId, ...resultOf(response.response), ...keep({ thoughtSignature }) },
      ...filesOf(response, callId, parts),
    ]
  },
  executableCode({ id, language, code }, { thoughtSignature }, parts) {
    if (typeof code !== 'string') return undefined
    const callId = id ?? parts.mint('code')
    const input = language === null || language === undefined ? { code } : { language, code }
    return [
      ...endOpen(parts),
      startCall(parts.scope, callId, CODE, 'provider', { thoughtSignature }),
      { type: 'tool-input', callId, input },
    ]
  },
  codeExecutionResult(result, { thoughtSignature }, parts) {
    const { id, outcome } = result
    const openCallId = parts.scope.unanswered.take(id, CODE)
    const callId = openCallId ?? id ?? parts.mint('code-result')
    return [
      ...endOpen(parts),
      ...(openCallId === undefined ? [orphanCall(callId, CODE, 'provider', parts.scope)] : []),
      { type: 'tool-output', callId, ...codeResultOf(result), ...keep({ outcome, thoughtSignature }) },
    ]
  },
  toolCall({ id, toolType, args }, { thoughtSignature }, parts) {
    const callId = id ?? parts.mint('tool')
    return [
      ...endOpen(parts),
      startCall(parts.scope, callId, nameOf(toolType), 'provider', { toolType, thoughtSignature }),
      { type: 'tool-input', callId, input: args ?? {} },
    ]
  },
  toolResponse({ id, toolType, response }, { thoughtSignature }, parts) {
    const name = nameOf(toolType)
    const openCallId = parts.scope.unanswered.take(id, name)
    const callId = openCallId ?? id ?? parts.mint('tool-response')
    return [
      ...endOpen(parts),
      ...(openCallId === undefined ? [orphanCall(callId, name, 'provider', parts.scope)] : []),
      { type: 'tool-output', callId, ...resultOf(response), ...keep({ toolType, thoughtSignature }) },
    ]
  },
  inlineData(inline, { thought, thoughtSignature }, parts) {
    const kept = { thought, thoughtSignature }
    return [...endOpen(parts), inlineFile(inline, parts.mint('file'), { messageId: parts.scope.messageId, kept })]
  },
  fileData(linked, { thought, thoughtSignature }, parts) {
    const kept = { thought, thoughtSignature }
    return [...endOpen(parts), linkedFile(linked, parts.mint('file'), { messageId: parts.scope.messageId, kept })]
  },
  audioTranscription: (transcription, _part, { scope: { messageId } }) => [
    { type: 'data', name: 'audio-transcription', messageId, data: transcription as Json },
  ],
}
const table = Object.entries(rows) as [keyof typeof rows, Row<never>][]

/** The events of one part. A part that is not understood is kept as `raw`. */
export function partEvents(part: Part, parts: Parts): readonly StreamEvent[] {
  if (typeof part.text === 'string') return textEvents(part.text, part, parts)
  for (const [field, row] of table) {
    const content = part[field]
    if (content === null || content === undefined) continue
    return (isJsonObject(content) ? row(content as never, part, parts) : undefined) ?? unmapped(part)
  }
  if (typeof part.thoughtSignature === 'string') return textEvents('', part, parts)
  return Object.values(part).some((value) => value !== null && value !== undefined) ? unmapped(part) : NOTHING
}

/** Ends what is open before a part of another kind. */
function endOpen({ blocks, calls }: Parts): StreamEvent[] {
  blocks.skipPart()
  return [...blocks.close(), ...calls.close()]
}

/** A call of an earlier response, of which only the name in its result is known. */
function orphanCall(callId: string, name: string, runBy: RunBy, { messageId }: MessageScope): StreamEvent {
  return { type: 'tool-start', callId, messageId, name, runBy, meta: { millrace: { orphan: true } } }
}

function nameOf(toolType: unknown): string {
  return typeof toolType === 'string' ? toolType.toLowerCase() : 'tool'
}

/** Files that a function returned beside its output. */
function filesOf({ parts: media }: FunctionResponse, callId: string, { scope, mint }: Parts): StreamEvent[] {
  const context = { messageId: scope.messageId, callId }
  return (media ?? []).flatMap(({ inlineData, fileData }) => [
    ...(inlineData ? [inlineFile(inlineData, mint('file'), context)] : []),
    ...(fileData ? [linkedFile(fileData, mint('file'), context)] : []),
  ])
}

type Result = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

/** Google wraps the result of a function in `output` or `error`. Any other value is the output itself. */
function resultOf(response: Json | undefined): Result {
  if (!isJsonObject(response)) return { status: 'ok', output: response ?? '' }
  const { error } = response
  if (error !== undefined && error !== null && error !== false) return failureOf(error as Json)
  const [only, ...more] = Object.keys(response)
  const isWrapped = more.length === 0 && (only === 'output' || only === 'result')
  return { status: 'ok', output: (isWrapped ? response[only] : response) as Json }
}

function failureOf(error: Json): Result {
  const message = isJsonObject(error) && typeof error.message === 'string' ? error.message : undefined
  return {
    status: 'error',
    output: error,
    error: typeof error === 'string' ? error : (message ?? JSON.stringify(error)),
  }
}

function codeResultOf({ outcome, output }: CodeExecutionResult): Result {
  const printed = output ?? ''
  if (outcome === null || outcome === undefined || outcome === 'OUTCOME_OK') return { status: 'ok', output: printed }
  return { status: 'error', output: printed, error: printed === '' ? outcome : printed }
}
