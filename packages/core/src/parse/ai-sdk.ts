import type { StreamEvent } from '../events.ts'
import { isJsonObject, type Json } from '../json.ts'
import { createApprovals } from './ai-sdk/approvals.ts'
import { createBlocks } from './ai-sdk/blocks.ts'
import { createCalls, idOf, parsedInput, refusedInput } from './ai-sdk/calls.ts'
import { dataEvent } from './ai-sdk/data.ts'
import { createEnding, errorMessageOf } from './ai-sdk/ending.ts'
import { createMessage } from './ai-sdk/message.ts'
import { scopeOf, splitMetadata } from './ai-sdk/metadata.ts'
import { fileEvent, sourceEvent } from './ai-sdk/parts.ts'
import type { DataPart, RawEvent } from './ai-sdk/raw.ts'
import { recognize } from './ai-sdk/recognize.ts'
import { finishStep, usageEvents, warnings } from './ai-sdk/steps.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood } from './parser.ts'

/** The AI SDK's UI message stream, the parts of `fullStream`, and the stream of a provider below it. */
export const aiSdk: Parser = {
  version: 4,
  losses: {
    rewrite: 'Text can only be appended to.',
    control: 'Requests go to the agent, not into its stream.',
    times: 'Parts carry no times.',
  },
  recognize,
  create,
}

const NONE: ReadonlySet<string> = new Set()

function create(): ParserState {
  const blocks = createBlocks()
  const calls = createCalls()
  const ending = createEnding()
  const message = createMessage()
  const approvals = createApprovals(calls)
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

  function metadata(fields: Json | undefined): readonly StreamEvent[] {
    if (!isJsonObject(fields)) return []
    if (Object.keys(fields).length === 0) return SILENT
    return [{ type: 'metadata', metadata: fields }]
  }

  const handlers: Handlers<RawEvent> = {
    start({ messageId, messageMetadata }) {
      const before = ending.begin()
      return withMetadata(messageMetadata, [...before, ...message.start(messageId ?? undefined, messageMetadata)])
    },
    finish(raw) {
      const refused = calls.failRefused()
      const isOpen = approvals.isAwaiting() || (isUnanswered(raw.finishReason) && calls.isAwaiting())
      const messageFields = ending.finish(raw, isOpen, stepReason)
      const { usage, ...fieldsWithoutUsage } = messageFields
      const step = raw.usage ? finishStep(raw, undefined) : []
      const total = raw.totalUsage ?? (hasOwnUsage ? undefined : (usage ?? messageFields.totalUsage))
      return withMetadata(raw.messageMetadata, [
        ...refused,
        ...step,
        ...usageEvents(total, { scope: 'run', mode: 'snapshot' }),
        ...metadata(hasOwnUsage ? fieldsWithoutUsage : messageFields),
      ])
    },
    abort({ reason }) {
      ending.abort(reason)
      return reason === undefined || reason === null || typeof reason === 'string' ? SILENT : []
    },
    error: ({ errorText, error }) => understood(ending.fail(errorText ?? error)),
    'message-metadata': ({ messageMetadata }) => metadata(messageMetadata),
    'start-step': ({ request, warnings: rawWarnings }) => [
      { type: 'step-start', kind: 'model' },
      ...(request && Object.keys(request).length > 0 ? metadata({ request }) : []),
      ...warnings(rawWarnings),
    ],
    'finish-step': (raw) => finishStep(raw, raw.response),
    'reset-step': () => [
      { type: 'step-end' },
      { type: 'status', message: 'The step was taken back and begins again.', level: 'warn' },
      { type: 'step-start', kind: 'model' },
    ],
    'text-start': ({ id, providerMetadata }) => blocks.start('text', id, providerMetadata),
    'text-delta': (raw) => understood(blocks.add('text', raw)),
    'text-end': (raw) => blocks.end('text', raw),
    'reasoning-start': ({ id, providerMetadata }) => blocks.start('reasoning', id, providerMetadata),
    'reasoning-delta': (raw) => understood(blocks.add('reasoning', raw)),
    'reasoning-end': (raw) => blocks.end('reasoning', raw),
    'tool-input-start': (raw) => understood(calls.start(raw)),
    'tool-input-delta': (raw) => calls.add(idOf(raw), raw.inputTextDelta ?? raw.delta),
    'tool-input-end': () => SILENT,
    'tool-input-available': (raw) => calls.input(raw, parsedInput(raw.input, false)),
    'tool-input-error': (raw) =>
      calls.input(raw, refusedInput(raw.input ?? raw.rawInput, errorMessageOf(raw.errorText))),
    'tool-call': (raw) =>
      calls.input(
        raw,
        raw.invalid ? refusedInput(raw.input, errorMessageOf(raw.error)) : parsedInput(raw.input, isProvider),
      ),
    'tool-output-available': (raw) =>
      raw.preliminary
        ? understood(calls.preliminary(raw, raw.output ?? null))
        : calls.output(raw, { status: 'ok', output: raw.output ?? null }),
    'tool-output-error': (raw) => calls.output(raw, failure(raw.errorText)),
    'tool-output-denied': (raw) => calls.output(raw, { status: 'denied', output: null }),
    'tool-result'(raw) {
      const output = raw.output ?? raw.result ?? null
      const recalled = calls.recall(raw)
      if (raw.preliminary) return understood([...recalled, ...calls.preliminary(raw, output)])
      const status = raw.isError
        ? ({ status: 'error', error: errorMessageOf(output) } as const)
        : ({ status: 'ok' } as const)
      return [...recalled, ...calls.output(raw, { ...status, output })]
    },
    'tool-error': (raw) => [...calls.recall(raw), ...calls.output(raw, failure(raw.error))],
    'tool-approval-request': approvals.request,
    'tool-approval-response': approvals.respond,
    'source-url': (raw) => [sourceEvent(raw, ++sources, blocks.idOf)],
    'source-document': (raw) => [sourceEvent(raw, ++sources, blocks.idOf)],
    source: (raw) => [sourceEvent(raw, ++sources, blocks.idOf)],
    file: (raw) => [fileEvent(raw, ++files)],
    'reasoning-file': (raw) => [fileEvent(raw, ++files)],
    custom({ kind, providerMetadata }) {
      if (typeof kind !== 'string') throw new TypeError('A custom part has no kind.')
      return [{ ...scopeOf(splitMetadata(providerMetadata, NONE)), type: 'data', name: kind, data: {} }]
    },
    'steering-message': message.steer,
    'stream-start'({ warnings: rawWarnings }) {
      isProvider = true
      return [{ type: 'step-start', kind: 'model' }, ...warnings(rawWarnings)]
    },
    'response-metadata'({ type: _type, modelId: model, ...rest }) {
      isProvider = true
      return metadata({ ...(rest as { readonly [field: string]: Json }), ...(model !== undefined && { model }) })
    },
    raw: (raw) => [{ type: 'raw', value: raw as unknown as Json, reason: 'unmapped' }],
    ping: () => SILENT,
  }

  const read = dispatch(handlers)
  return {
    push(value, record) {
      const { type } = value as { readonly type: unknown }
      if (typeof type === 'string' && type.startsWith('data-'))
        return [approvals.noteApproval(dataEvent(value as DataPart, context))]
      return read(value, record)
    },
    end: ending.events,
  }
}

/** Without events, a part is understood only if its metadata is absent or an object. */
function withMetadata(messageMetadata: Json | undefined, events: readonly StreamEvent[]): readonly StreamEvent[] {
  return messageMetadata === undefined || messageMetadata === null || isJsonObject(messageMetadata)
    ? understood(events)
    : events
}

/** Whether a message with this finish reason may wait for the outputs of its calls. */
function isUnanswered(reason: unknown): boolean {
  const commonReason = isJsonObject(reason) ? reason.unified : reason
  return commonReason === undefined || commonReason === null || commonReason === 'tool-calls'
}

function failure(error: Json | undefined) {
  const message = errorMessageOf(error)
  return { status: 'error', output: error ?? message, error: message } as const
}
