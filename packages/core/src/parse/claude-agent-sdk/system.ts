import type { StreamEvent } from '../../events.ts'
import { fileEvent } from '../anthropic-messages/results.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import { aside, data, levelOf, metadata, objectIn, ownFields, status, wordIn } from './fields.ts'
import type { SystemLine } from './raw.ts'

type Row = (line: SystemLine) => readonly StreamEvent[]

/** Facts for the books. */
const facts: readonly string[] = [
  'background_tasks_changed',
  'commands_changed',
  'control_request_progress',
  'elicitation_complete',
  'memory_saved',
  'plugin_install',
  'post_turn_summary',
  'session_writes_lost',
  'stop_hook_summary',
  'worker_shutting_down',
]

/** States of the program that come with every request: `null` is the end of one. */
const QUIET: ReadonlySet<unknown> = new Set(['requesting', null])

/** The subtypes that need nothing but the line itself. */
const rows: { readonly [subtype: string]: Row } = {
  ...Object.fromEntries(facts.map((subtype): [string, Row] => [subtype, (line) => [aside(subtype, line)]])),
  status(line) {
    const isFailed = line.compact_result === 'failed' || wordIn(line, 'compact_error') !== undefined
    const events = [
      ...(line.status === 'compacting' ? [status('Compacting the conversation')] : []),
      ...(isFailed ? [status(wordIn(line, 'compact_error') ?? 'The conversation could not be compacted', 'warn')] : []),
      ...metadata({ permissionMode: line.permissionMode }),
    ]
    return QUIET.has(line.status) ? understood(events) : events
  },
  compact_boundary: compacted,
  microcompact_boundary: compacted,
  api_retry: retry,
  api_error: retry,
  /** An estimate while the model thinks; the counts come with the message. */
  thinking_tokens: () => SILENT,
  session_state_changed: (line) => metadata({ session_state: line.state }),
  informational: said,
  notification: said,
  away_summary: said,
  memory_recall: (line) => [data('memory_recall', line)],
  mirror_error: (line) => [status(wordIn(line, 'error', 'message') ?? 'The session could not be mirrored', 'warn')],
  hook_started: (line) => [status(`Hook ${hookOf(line)}`)],
  hook_progress: (line) => [data('hook', line, wordIn(line, 'hook_id'))],
  hook_response(line) {
    const isFine = line.outcome === undefined || line.outcome === 'success'
    const failed = isFine ? [] : [status(`Hook ${hookOf(line)}: ${line.outcome}`, 'warn')]
    const isSilent = wordIn(line, 'output', 'stdout', 'stderr') === undefined
    return understood([...(isSilent ? [] : [data('hook', line, wordIn(line, 'hook_id'))]), ...failed])
  },
  files_persisted(line) {
    const files = (line.files ?? []) as readonly { readonly file_id: string; readonly filename?: string }[]
    const failed = (line.failed ?? []) as readonly { readonly filename?: string; readonly error?: string }[]
    const events = [
      ...files.map(({ file_id, filename }) => ({
        ...fileEvent(file_id),
        ...(filename !== undefined && { filename }),
      })),
      ...failed.map(({ filename, error }) => status([filename, error].filter(Boolean).join(': '), 'warn')),
    ]
    return line.files === undefined && line.failed === undefined ? events : understood(events)
  },
  model_refusal_fallback: (line) => [
    data('model_refusal_fallback', line),
    status(
      wordIn(line, 'content') ??
        `${line.fallback_model ?? 'Another model'} answers in place of ${line.original_model ?? 'the model'}`,
      'warn',
    ),
  ],
  model_refusal_no_fallback: (line) => [
    data('model_refusal_no_fallback', line),
    status(wordIn(line, 'content') ?? 'The model refused to answer', 'warn'),
  ],
  turn_duration: ({ durationMs }) =>
    typeof durationMs === 'number' ? [{ type: 'usage', scope: 'run', mode: 'add', durationMs }] : [],
}
const table = new Map(Object.entries(rows))

export function systemEvents(line: SystemLine): readonly StreamEvent[] {
  const row = table.get(line.subtype ?? '')
  if (row !== undefined) return row(line)
  return typeof line.content === 'string' ? said(line) : unmapped(line)
}

function compacted(line: SystemLine): StreamEvent[] {
  return [data('compact_boundary', line), status(wordIn(line, 'content') ?? 'Conversation compacted')]
}

function retry(line: SystemLine): StreamEvent[] {
  const attempt = line.attempt ?? line.retryAttempt
  const most = line.max_retries ?? line.maxRetries
  const cause = wordIn(line, 'error', 'content') ?? wordIn(objectIn(line, 'error'), 'message', 'type') ?? 'an error'
  const count = attempt === undefined ? '' : ` (attempt ${attempt}${most === undefined ? '' : ` of ${most}`})`
  const event = status(`The request is tried again after ${cause}${count}`, 'warn')
  return [{ ...event, meta: { claude: { api_retry: ownFields(line) } } }]
}

function said(line: SystemLine): StreamEvent[] {
  const message = wordIn(line, 'content', 'text', 'message')
  return message === undefined ? [data(line.subtype ?? 'system', line)] : [status(message, levelOf(line.level))]
}

function hookOf(line: SystemLine): string {
  return wordIn(line, 'hook_name', 'hook_event', 'hook') ?? 'started'
}
