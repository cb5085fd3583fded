import type { StreamEvent } from '../../events.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import { SILENT, understood } from '../parser.ts'
import { hasOwnField, lineData, lineMetadata, objectIn, ownFields, status, textIn } from './fields.ts'
import type { PlainLine } from './raw.ts'

type Row = (line: PlainLine<string>) => readonly StreamEvent[]

const titleEvents: Row = (line) => metadata({ title: textIn(line, 'customTitle', 'aiTitle', 'summary') })
const factEvents: Row = (line) => {
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
    const error = textIn(line, 'error')
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
} satisfies { readonly [type: string]: Row }
