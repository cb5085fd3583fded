import type { StreamEvent } from '../../events.ts'
import { SILENT, understood } from '../parser.ts'
import { hasOwnField, lineMetadata, metadata, objectIn, ownFields, status, textIn } from './fields.ts'
import type { PlainLine } from './raw.ts'

/** Lines of a stored session about the session itself. */
export type StoredType =
  | 'summary'
  | 'ai-title'
  | 'custom-title'
  | 'agent-name'
  | 'agent-color'
  | 'agent-setting'
  | 'last-prompt'
  | 'tag'
  | 'mode'
  | 'permission-mode'
  | 'pr-link'
  | 'worktree-state'
  | 'file-history-snapshot'

/** Lines beside the conversation while it runs. */
export type BesideType =
  | 'rate_limit_event'
  | 'auth_status'
  | 'prompt_suggestion'
  | 'tool_use_summary'
  | 'conversation_reset'
  | 'active_goal'
  | 'keep_alive'
  | 'command_lifecycle'
  | 'error'

type Rows<Types extends string> = { readonly [Type in Types]: (line: PlainLine<Type>) => readonly StreamEvent[] }

const titleEvents = (line: object) => metadata({ title: textIn(line, 'customTitle', 'aiTitle', 'summary') })
const factEvents = (line: object) => {
  const events = metadata(ownFields(line))
  return hasOwnField(line) ? understood(events) : events
}

export const storedRows: Rows<StoredType> = {
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
}

export const besideRows: Rows<BesideType> = {
  rate_limit_event(line) {
    const info = objectIn(line, 'rate_limit_info')
    if (Object.keys(info).length === 0) return []
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
  prompt_suggestion: (line) => [{ type: 'data', name: 'prompt_suggestion', data: ownFields(line) }],
  tool_use_summary(line) {
    const summary = textIn(line, 'summary')
    return summary === undefined ? [] : [status(summary)]
  },
  conversation_reset: (line) => [lineMetadata('conversation_reset', line), status('A new conversation begins')],
  active_goal: (line) => [{ type: 'data', name: 'active_goal', id: 'active_goal', data: ownFields(line) }],
  keep_alive: () => SILENT,
  command_lifecycle: (line) => [lineMetadata('command_lifecycle', line)],
  error(line) {
    const { message = textIn(line, 'error', 'message'), type } = objectIn(line, 'error')
    if (typeof message !== 'string') throw new TypeError('The error has no message.')
    return [{ type: 'error', message, ...(typeof type === 'string' && { code: type }) }]
  },
}
