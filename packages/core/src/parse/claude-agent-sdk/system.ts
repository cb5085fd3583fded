import { present } from '../../data/present.ts'
import type { StatusLevel } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { fileEvent } from '../anthropic-messages/results.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import {
  hasOwnField,
  lineData,
  lineMetadata,
  objectIn,
  onlyTextIn,
  ownFields,
  type PlainLine,
  type SystemLine,
  status,
  textIn,
} from './raw.ts'

type Row = (line: SystemLine) => readonly StreamEvent[]

/** Subtypes that are kept as metadata. */
const FACTS: readonly string[] = [
  ...['background_tasks_changed', 'commands_changed', 'control_request_progress', 'elicitation_complete'],
  ...['memory_saved', 'plugin_install', 'post_turn_summary', 'session_writes_lost', 'stop_hook_summary'],
  'worker_shutting_down',
]

/** States that come with every request; `null` ends one. */
const QUIET: ReadonlySet<unknown> = new Set(['requesting', null])

/** The subtypes that need no state. */
const rows: { readonly [subtype: string]: Row } = {
  ...Object.fromEntries(FACTS.map((subtype): [string, Row] => [subtype, (line) => [lineMetadata(subtype, line)]])),
  status(line) {
    const error = onlyTextIn(line, 'compact_error')
    const isFailed = line.compact_result === 'failed' || error !== undefined
    const events = [
      ...(line.status === 'compacting' ? [status('Compacting the conversation')] : []),
      ...(isFailed ? [status(error ?? 'The conversation could not be compacted', 'warn')] : []),
      ...metadata({ permissionMode: line.permissionMode }),
    ]
    return QUIET.has(line.status) ? understood(events) : events
  },
  compact_boundary: compactEvents,
  microcompact_boundary: compactEvents,
  api_retry: retryEvents,
  api_error: retryEvents,
  /** An estimate while the model thinks. The exact counts come with the message. */
  thinking_tokens: () => SILENT,
  session_state_changed: (line) => metadata({ session_state: line.state }),
  informational: noticeEvents,
  notification: noticeEvents,
  away_summary: noticeEvents,
  memory_recall: (line) => [lineData('memory_recall', line)],
  mirror_error: (line) => [status(textIn(line, 'error', 'message') ?? 'The session could not be mirrored', 'warn')],
  hook_started: (line) => [status(`Hook ${hookOf(line)}`)],
  hook_progress: (line) => [lineData('hook', line, textIn(line, 'hook_id'))],
  hook_response(line) {
    const isFine = line.outcome === undefined || line.outcome === 'success'
    const failed = isFine ? [] : [status(`Hook ${hookOf(line)}: ${line.outcome}`, 'warn')]
    const isSilent = textIn(line, 'output', 'stdout', 'stderr') === undefined
    return understood([...(isSilent ? [] : [lineData('hook', line, textIn(line, 'hook_id'))]), ...failed])
  },
  files_persisted(line) {
    const files = (line.files ?? []) as readonly { readonly file_id: string; readonly filename?: string }[]
    const failed = (line.failed ?? []) as readonly { readonly filename?: string; readonly error?: string }[]
    const events = [
      ...files.map(({ file_id, filename }) => ({ ...fileEvent(file_id), ...present({ filename }) })),
      ...failed.map(({ filename, error }) => status([filename, error].filter(Boolean).join(': '), 'warn')),
    ]
    return line.files === undefined && line.failed === undefined ? events : understood(events)
  },
  model_refusal_fallback: (line) => [
    lineData('model_refusal_fallback', line),
    status(
      textIn(line, 'content') ??
        `${line.fallback_model ?? 'Another model'} answers in place of ${line.original_model ?? 'the model'}`,
      'warn',
    ),
  ],
  model_refusal_no_fallback: (line) => [
    lineData('model_refusal_no_fallback', line),
    status(textIn(line, 'content') ?? 'The model refused to answer', 'warn'),
  ],
  turn_duration: ({ durationMs }) =>
    typeof durationMs === 'number' ? [{ type: 'usage', scope: 'run', mode: 'add', durationMs }] : [],
}
const rowsBySubtype = new Map(Object.entries(rows))

export function systemEvents(line: SystemLine): readonly StreamEvent[] {
  const row = rowsBySubtype.get(line.subtype ?? '')
  if (row !== undefined) return row(line)
  return typeof line.content === 'string' ? noticeEvents(line) : unmapped(line)
}

function compactEvents(line: SystemLine): StreamEvent[] {
  return [lineData('compact_boundary', line), status(textIn(line, 'content') ?? 'Conversation compacted')]
}

function retryEvents(line: SystemLine): StreamEvent[] {
  const attempt = line.attempt ?? line.retryAttempt
  const maxAttempts = line.max_retries ?? line.maxRetries
  const cause = textIn(line, 'error', 'content') ?? textIn(objectIn(line, 'error'), 'message', 'type') ?? 'an error'
  const count =
    attempt === undefined ? '' : ` (attempt ${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`})`
  const event = status(`The request is tried again after ${cause}${count}`, 'warn')
  return [{ ...event, meta: { claude: { api_retry: ownFields(line) } } }]
}

const levels: ReadonlyMap<unknown, StatusLevel> = new Map([
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['error', 'error'],
])

function noticeEvents(line: SystemLine): StreamEvent[] {
  const message = textIn(line, 'content', 'text', 'message')
  return message === undefined
    ? [lineData(line.subtype ?? 'system', line)]
    : [status(message, levels.get(line.level) ?? 'info')]
}

function hookOf(line: SystemLine): string {
  return textIn(line, 'hook_name', 'hook_event', 'hook') ?? 'started'
}

/** Fields of an init line that are not facts of the session. */
const NOT_FACTS: ReadonlySet<string> = new Set(['type', 'subtype', 'uuid', 'timestamp', 'model'])

/** Reads the line that starts each turn. Only fields that changed since the last turn are emitted again. */
export function createInit(): (line: SystemLine) => StreamEvent[] {
  let lastFields: ReadonlyMap<string, string> = new Map()
  let isStarted = false

  return (line) => {
    const model = present({ model: typeof line.model === 'string' ? line.model : undefined })
    const fields = Object.entries(present(line)).filter(([field]) => !NOT_FACTS.has(field))
    const currentFields = new Map(fields.map(([field, value]) => [field, JSON.stringify(value)]))
    const changed = fields.filter(([field]) => lastFields.get(field) !== currentFields.get(field))
    const start: StreamEvent[] = isStarted ? metadata(model) : [{ type: 'run-start', ...model }]
    lastFields = currentFields
    isStarted = true
    return [...start, ...metadata(Object.fromEntries(changed))]
  }
}

type BesideRow = (line: PlainLine<string>) => readonly StreamEvent[]

const titleEvents: BesideRow = (line) => metadata({ title: textIn(line, 'customTitle', 'aiTitle', 'summary') })
const factEvents: BesideRow = (line) => {
  const events = metadata(ownFields(line))
  return hasOwnField(line) ? understood(events) : events
}

/** Lines of a stored session about the session itself, and lines beside the conversation while it runs. */
export const besideRows = {
  summary: titleEvents,
  'ai-title': titleEvents,
  'custom-title': titleEvents,
  'agent-name': factEvents,
  'agent-color': factEvents,
  'agent-setting': factEvents,
  'last-prompt': factEvents,
  tag: factEvents,
  mode: factEvents,
  'permission-mode': factEvents,
  'pr-link': factEvents,
  'worktree-state': factEvents,
  'file-history-snapshot': (line) => [lineMetadata('file-history-snapshot', line)],
  rate_limit_event(line) {
    const info = objectIn(line, 'rate_limit_info')
    if (isEmpty(info)) return []
    const limit = textIn(info, 'rateLimitType') ?? 'requests'
    const isReached = info.status === 'rejected'
    const isNear = info.status === 'allowed_warning'
    const message = isReached ? `The rate limit was reached (${limit})` : `The rate limit is near (${limit})`
    return [...metadata({ rate_limit: info }), ...(isReached || isNear ? [status(message, 'warn')] : [])]
  },
  auth_status(line) {
    const output = Array.isArray(line.output) ? line.output.filter((text) => typeof text === 'string') : []
    const error = onlyTextIn(line, 'error')
    const events = [
      ...output.map((text) => status(text)),
      ...(error === undefined ? [] : [{ type: 'error' as const, message: error, code: 'auth_status' }]),
    ]
    return typeof line.isAuthenticating === 'boolean' ? understood(events) : events
  },
  prompt_suggestion: (line) => [lineData('prompt_suggestion', line)],
  tool_use_summary(line) {
    const summary = textIn(line, 'summary')
    return summary === undefined ? [] : [status(summary)]
  },
  conversation_reset: (line) => [lineMetadata('conversation_reset', line), status('A new conversation begins')],
  active_goal: (line) => [lineData('active_goal', line, 'active_goal')],
  keep_alive: () => SILENT,
  command_lifecycle: (line) => [lineMetadata('command_lifecycle', line)],
  error(line) {
    const { message = textIn(line, 'error', 'message'), type } = objectIn(line, 'error')
    if (typeof message !== 'string') throw new TypeError('The error has no message.')
    return [{ type: 'error', message, ...(typeof type === 'string' && { code: type }) }]
  },
} satisfies { readonly [type: string]: BesideRow }
