import { present } from '../../data/present.ts'
import type { RunBy, RunError } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { isEmpty, keep, keepRaw } from '../kit/keep.ts'
import { resultFiles } from '../kit/result-files.ts'
import { createVoice, type Manner, type Out } from '../kit/voice.ts'
import { createDetails } from './details.ts'
import {
  codeResultOf,
  failureOf,
  fileOf,
  isFiltered,
  nameOf,
  type Result,
  resultOf,
  type Unanswered,
} from './google.ts'
import { createPartialInput, type OpenCall } from './partial-args.ts'
import type { Candidate, FunctionCall, Part, PartContent, RawFile } from './raw.ts'

/** Reads one candidate of a response, which is a message of its own. */
export interface CandidateReader {
  readonly messageId: string
  /** Why the model stopped, once a chunk has the reason. The model may still continue. */
  finishReason: string | undefined
  /** The error, if the reason to stop is a failure. */
  failure: RunError | undefined
  read(out: Out, candidate: Candidate): void
  /** Ends what is open. A reason to stop does not, because old servers send one with every chunk. */
  close(out: Out): void
}

/** The name of the provider's code tool, which has none in the stream. */
const CODE = 'code_execution'

/** `prefix` begins the ids of everything in it; `response` is the number of the response in the stream. */
export function createCandidate(
  messageId: string,
  prefix: string,
  response: number,
  unanswered: Unanswered,
): CandidateReader {
  let count = 0
  const mint = (kind: string) => `${prefix}:${kind}-${++count}`
  const voice = createVoice(mint)
  const details = createDetails(messageId, prefix, mint)
  const answer: Manner = { kind: 'text', messageId }
  const thinking: Manner = { kind: 'reasoning', variant: 'thinking', messageId }
  /** How many parts the assembled content has. */
  let parts = 0
  let openCall: OpenCall | undefined
  /** The block that was signed last. */
  let signedId: string | undefined

  /** Text of an answer or of a thought, or the signature of one. */
  function readText(out: Out, text: string, { thought, thoughtSignature: signature }: Part): void {
    if (text === '' && !signature) return
    endCall(out)
    // A block has one signature: the next one is of another part.
    if (signature && signedId !== undefined && signedId === voice.openId) voice.pause(out)
    const before = voice.openId
    const blockId = voice.say(out, thought === true ? thinking : answer, text)
    if (thought !== true) details.hold(blockId, text, parts)
    if (blockId !== before) parts += 1
    if (!signature) return
    // The signature of a thought is a field of the block. That of an answer is only kept as meta, to be sent back.
    const signed =
      thought === true ? { signature, ...keep('google', { thought }) } : keep('google', { thoughtSignature: signature })
    out.push({ type: 'block-patch', blockId, ...signed })
    signedId = blockId
  }

  /** Completes the open call. A stream may leave out its end. */
  function endCall(out: Out): void {
    if (openCall === undefined) return
    const { callId, wholeArgs, input, signature: thoughtSignature } = openCall
    const whole = input?.end()
    openCall = undefined
    if (whole?.text) out.push({ type: 'tool-input-delta', callId, text: whole.text })
    const signed = keep('google', { thoughtSignature })
    out.push({ type: 'tool-input', callId, input: whole?.input ?? wholeArgs, ...signed })
  }

  /** Ends what is open before a part of another kind. */
  function endOpen(out: Out): void {
    parts += 1
    close(out)
  }

  function close(out: Out): void {
    voice.pause(out)
    endCall(out)
  }

  function startCall(out: Out, callId: string, name: string, runBy: RunBy, kept: object): void {
    endOpen(out)
    unanswered.add(callId, { name, awaitedBy: runBy === 'client' ? response : undefined })
    out.push({ type: 'tool-start', callId, messageId, name, runBy, ...keep('google', kept) })
  }

  /** The open call, if this is a part of it. */
  function continuedCall({ id, name, args, partialArgs }: FunctionCall): OpenCall | undefined {
    if (openCall === undefined || !name) return openCall
    const isSame = openCall.name === name && (id === null || id === undefined || id === openCall.callId)
    return isSame && Array.isArray(partialArgs) && (args === null || args === undefined) ? openCall : undefined
  }

  function readCall(out: Out, call: FunctionCall, part: Part): void {
    const { id, name, args, partialArgs, willContinue } = call
    const continued = continuedCall(call)
    if (continued === undefined) {
      if (!name) {
        // An empty call ends the call before it, which may have ended already.
        if (!isEmpty(present(call))) keepRaw(out, part)
        return
      }
      const callId = id ?? mint('call')
      startCall(out, callId, name, 'client', { thoughtSignature: part.thoughtSignature })
      openCall = { callId, name, wholeArgs: args ?? {}, input: undefined, signature: undefined }
    } else continued.signature ??= part.thoughtSignature ?? undefined
    const before = out.length
    if (Array.isArray(partialArgs)) addArguments(out, openCall as OpenCall, partialArgs)
    if (willContinue !== true) endCall(out)
    const isSkipped = continued !== undefined && out.length === before
    if (isSkipped && (args || !Array.isArray(partialArgs ?? []))) keepRaw(out, part)
  }

  function addArguments(out: Out, call: OpenCall, partialArgs: NonNullable<FunctionCall['partialArgs']>): void {
    call.input ??= createPartialInput()
    for (const partialArg of partialArgs) {
      const text = call.input.add(partialArg)
      if (text === undefined) keepRaw(out, partialArg)
      else if (text !== '') out.push({ type: 'tool-input-delta', callId: call.callId, text })
    }
  }

  /** Adds the result of a call, whose id it returns. A call of an earlier response is known only by the name in its result. */
  function addResult(out: Out, { id, name, runBy, idKind }: ResultOf, result: Result, kept: object): string {
    const openId = unanswered.take(id, name)
    const callId = openId ?? id ?? mint(idKind)
    endOpen(out)
    if (openId === undefined && name !== '')
      out.push({ type: 'tool-start', callId, messageId, name, runBy, meta: { millrace: { orphan: true } } })
    out.push({ type: 'tool-output', callId, ...result, ...keep('google', kept) }, ...resultFiles(result.output, callId))
    return callId
  }

  function addFile(out: Out, file: RawFile, fields: Pick<EventOf<'file'>, 'callId' | 'meta'>): void {
    const { mimeType, data, fileUri, displayName: filename } = file
    const content = fileOf(data, fileUri, mimeType, 'application/octet-stream')
    out.push({ type: 'file', fileId: mint('file'), messageId, ...content, ...present({ filename }), ...fields })
  }

  function readFile(out: Out, file: RawFile, { thought, thoughtSignature }: Part): void {
    endOpen(out)
    addFile(out, file, keep('google', { thought, thoughtSignature }))
  }

  const rows: { readonly [Field in Exclude<keyof PartContent, 'text'>]: Row<Field> } = {
    functionCall: readCall,
    functionResponse(out, { id, name, response: returned, parts: files }, { thoughtSignature: responseSignature }) {
      const from: ResultOf = { id, name: name ?? '', runBy: 'client', idKind: 'response' }
      const callId = addResult(out, from, resultOf(returned), { responseSignature })
      for (const { inlineData, fileData } of files ?? []) {
        if (inlineData) addFile(out, inlineData, { callId })
        if (fileData) addFile(out, fileData, { callId })
      }
    },
    executableCode(out, { id, language, code }, part) {
      if (typeof code !== 'string') return keepRaw(out, part)
      const callId = id ?? mint('code')
      startCall(out, callId, CODE, 'provider', { thoughtSignature: part.thoughtSignature })
      out.push({ type: 'tool-input', callId, input: present({ language, code }) })
    },
    codeExecutionResult(out, { id, outcome, output }, { thoughtSignature: responseSignature }) {
      const from: ResultOf = { id, name: CODE, runBy: 'provider', idKind: 'code-result' }
      addResult(out, from, codeResultOf(outcome, output ?? ''), { outcome, responseSignature })
    },
    toolCall(out, { id, toolType, args }, { thoughtSignature }) {
      const callId = id ?? mint('tool')
      startCall(out, callId, nameOf(toolType), 'provider', { toolType, thoughtSignature })
      out.push({ type: 'tool-input', callId, input: args ?? {} })
    },
    toolResponse(out, { id, toolType, response: returned }, { thoughtSignature: responseSignature }) {
      const from: ResultOf = { id, name: nameOf(toolType), runBy: 'provider', idKind: 'tool-response' }
      addResult(out, from, resultOf(returned), { toolType, responseSignature })
    },
    inlineData: readFile,
    fileData: readFile,
    audioTranscription: (out, data) => out.push({ type: 'data', name: 'audio-transcription', messageId, data }),
  }
  const table = Object.entries(rows) as [keyof typeof rows, Row<never>][]

  /** Reads a part, which has one content field. A part that is not understood is kept as `raw`. */
  function readPart(out: Out, part: Part): void {
    if (typeof part.text === 'string') {
      readText(out, part.text, part)
      return
    }
    for (const [field, row] of table) {
      const content = part[field]
      if (content === null || content === undefined) continue
      if (isJsonObject(content)) row(out, content as never, part)
      else keepRaw(out, part)
      return
    }
    if (typeof part.thoughtSignature === 'string') readText(out, '', part)
    else if (!isEmpty(present(part))) keepRaw(out, part)
  }

  const reader: CandidateReader = {
    messageId,
    finishReason: undefined,
    failure: undefined,
    read(out, candidate) {
      for (const part of candidate.content?.parts ?? []) readPart(out, part)
      const { finishReason: reason, finishMessage } = candidate
      // Some gateways send an unspecified reason with every chunk.
      const isFinished = reason && reason !== 'FINISH_REASON_UNSPECIFIED'
      if (isFinished) {
        endCall(out)
        reader.finishReason = reason
        reader.failure = failureOf(reason, finishMessage)
      }
      details.read(out, candidate)
      if (!isFinished) return
      if (reader.failure !== undefined) out.push({ type: 'error', messageId, ...reader.failure })
      else if (isFiltered(reason))
        out.push({ type: 'status', messageId, level: 'warn', message: `The answer was cut short: ${reason}` })
    },
    close,
  }
  return reader
}

type Row<Field extends keyof PartContent> = (out: Out, content: PartContent[Field], part: Part) => void

/** The call that a result belongs to. `idKind` is the kind of the id that it gets if neither names one. */
interface ResultOf {
  readonly id: string | null | undefined
  readonly name: string
  readonly runBy: RunBy
  readonly idKind: string
}
