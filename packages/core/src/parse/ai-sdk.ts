import { isJsonObject, type Json } from '../json.ts'
import { createBlocks } from './ai-sdk/blocks.ts'
import { createCalls, parsedInput, refusedInput } from './ai-sdk/calls.ts'
import { dataEvent } from './ai-sdk/data.ts'
import { createEnding, errorMessageOf, finishStep, pushUsage, pushWarnings, reasonOf } from './ai-sdk/ending.ts'
import { createMessage, fileEvent, sourceEvent } from './ai-sdk/message.ts'
import { NO_MARKS, pushMetadata, scopeOf, splitMetadata } from './ai-sdk/metadata.ts'
import { type DataPart, type FileFields, type RawPart, recognize, type SourceFields } from './ai-sdk/raw.ts'
import { createSubagentParts } from './ai-sdk/subagent-parts.ts'
import { keepRaw } from './kit/keep.ts'
import { type Rows, readRow } from './kit/rows.ts'
import type { Out } from './kit/voice.ts'
import type { Parser, ParserState } from './parser.ts'

/** The AI SDK's UI message stream, the parts of `fullStream`, and the stream of a provider below it. */
export const aiSdk: Parser = {
  version: 6,
  losses: {
    rewrite: 'Text can only be appended to.',
    control: 'Requests go to the agent, not into its stream.',
    times: 'Parts carry no times.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const blocks = createBlocks()
  const calls = createCalls()
  const subagentParts = createSubagentParts(blocks)
  const ending = createEnding()
  const message = createMessage()
  /** The stop reason of the last step, if a part of Millrace held it. */
  let stepReason: string | undefined
  let hasOwnUsage = false
  /** Whether the stream is a provider's, which gives inputs as text; the SDK gives them parsed. */
  let isProvider = false
  let sources = 0
  let files = 0

  const context = {
    blockIdOf: blocks.idOf,
    stepEnded(reason: string | undefined) {
      hasOwnUsage = true
      stepReason = reason
    },
  }

  const pushInput = (...input: Parameters<typeof calls.input>) => {
    if (!calls.input(...input)) keepRaw(input[0], input[1])
  }
  const pushSource = (out: Out, raw: SourceFields) => void out.push(sourceEvent(raw, ++sources, blocks.idOf))
  const pushFile = (out: Out, raw: FileFields) => void out.push(fileEvent(raw, ++files))

  const rows: Rows<RawPart> = {
    start(out, raw) {
      ending.begin(out)
      message.start(out, raw.messageId ?? undefined, raw.messageMetadata)
      keepOddMetadata(out, raw)
    },
    finish(out, raw) {
      calls.failRefused(out)
      // The SDK does not say who runs a tool: the end of the message shows which calls the client is to run.
      const { commonReason = 'tool-calls' } = reasonOf(raw)
      const messageFields = ending.finish(raw, commonReason === 'tool-calls' && calls.isAwaiting(), stepReason)
      const { usage, ...fieldsWithoutUsage } = messageFields
      if (raw.usage) finishStep(out, { ...raw, response: null })
      const total = raw.totalUsage ?? (hasOwnUsage ? undefined : (usage ?? messageFields.totalUsage))
      pushUsage(out, total, { scope: 'run' })
      pushMetadata(out, hasOwnUsage ? fieldsWithoutUsage : messageFields)
      keepOddMetadata(out, raw)
    },
    abort(out, raw) {
      ending.abort(raw.reason)
      if (typeof (raw.reason ?? '') !== 'string') keepRaw(out, raw)
    },
    error: (out, { errorText, error }) => ending.fail(out, errorText ?? error),
    'message-metadata': (out, raw) =>
      isJsonObject(raw.messageMetadata) ? pushMetadata(out, raw.messageMetadata) : keepRaw(out, raw),
    'start-step'(out, { request, warnings }) {
      out.push({ type: 'step-start', kind: 'model' })
      if (request && Object.keys(request).length > 0) pushMetadata(out, { request })
      pushWarnings(out, warnings)
    },
    'finish-step': finishStep,
    'reset-step': (out) =>
      out.push(
        { type: 'step-end' },
        { type: 'status', message: 'The step was taken back and begins again.', level: 'warn' },
        { type: 'step-start', kind: 'model' },
      ),
    'text-start': (out, raw) => blocks.start(out, 'text', raw),
    'text-delta': (out, raw) => blocks.add(out, 'text', raw),
    'text-end': (out, raw) => blocks.end(out, 'text', raw),
    'reasoning-start': (out, raw) => blocks.start(out, 'reasoning', raw),
    'reasoning-delta': (out, raw) => blocks.add(out, 'reasoning', raw),
    'reasoning-end': (out, raw) => blocks.end(out, 'reasoning', raw),
    'tool-input-start': calls.start,
    'tool-input-delta': calls.add,
    'tool-input-end': () => undefined,
    'tool-input-available': (out, raw) => pushInput(out, raw, parsedInput(raw.input, false)),
    'tool-input-error': (out, raw) =>
      pushInput(out, raw, refusedInput(raw.input ?? raw.rawInput, errorMessageOf(raw.errorText))),
    'tool-call'(out, raw) {
      const refusal = raw.invalid ? errorMessageOf(raw.error) : undefined
      pushInput(out, raw, refusal === undefined ? parsedInput(raw.input, isProvider) : refusedInput(raw.input, refusal))
    },
    'tool-output-available': (out, raw) =>
      raw.preliminary
        ? calls.preliminary(out, raw, raw.output ?? null)
        : calls.output(out, raw, { status: 'ok', output: raw.output ?? null }),
    'tool-output-error': (out, raw) => calls.output(out, raw, failure(raw.errorText)),
    'tool-output-denied': (out, raw) => calls.output(out, raw, { status: 'denied', output: null }),
    'tool-result'(out, raw) {
      const output = raw.output ?? raw.result ?? null
      calls.recall(out, raw)
      if (raw.preliminary) calls.preliminary(out, raw, output)
      else calls.output(out, raw, raw.isError ? { ...failure(output), output } : { status: 'ok', output })
    },
    'tool-error'(out, raw) {
      calls.recall(out, raw)
      calls.output(out, raw, failure(raw.error))
    },
    'tool-approval-request': calls.request,
    'tool-approval-response': calls.respond,
    'source-url': pushSource,
    'source-document': pushSource,
    source: pushSource,
    file: pushFile,
    'reasoning-file': pushFile,
    custom(out, { kind, providerMetadata }) {
      if (typeof kind !== 'string') throw new TypeError('A custom part has no kind.')
      out.push({ ...scopeOf(splitMetadata(providerMetadata, NO_MARKS)), type: 'data', name: kind, data: {} })
    },
    'steering-message': message.steer,
    'stream-start'(out, { warnings }) {
      isProvider = true
      out.push({ type: 'step-start', kind: 'model' })
      pushWarnings(out, warnings)
    },
    'response-metadata'(out, { type: _type, modelId: model, ...rest }) {
      isProvider = true
      pushMetadata(out, { ...rest, ...(model !== undefined && { model }) } as { readonly [field: string]: Json })
    },
    raw: keepRaw,
    ping: () => undefined,
  }

  return {
    push(value) {
      const { type } = value as { readonly type: unknown }
      if (typeof type !== 'string' || !type.startsWith('data-')) return readRow(rows, type, value)
      const part = value as DataPart
      return subagentParts.push(part) ?? [dataEvent(part, context)]
    },
    end: ending.events,
  }
}

/** Keeps a part whose metadata is not an object, if it has no event that shows it. */
function keepOddMetadata(out: Out, raw: { readonly messageMetadata?: Json | undefined }): void {
  if (out.length === 0 && !isJsonObject(raw.messageMetadata ?? {})) keepRaw(out, raw)
}

function failure(error: Json | undefined) {
  const message = errorMessageOf(error)
  return { status: 'error', output: error ?? message, error: message } as const
}
