import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** Fields that hardly any other stream has. Other programs have `session_id` too. */
const OWN = ['uuid', 'parent_tool_use_id', 'sessionId', 'parentUuid']
const FIGURES = ['total_cost_usd', 'num_turns', 'modelUsage', 'usage']
const FACTS = [...OWN, 'tools', 'mcp_servers', 'claude_code_version']
const hasAny = (fields: readonly string[], line: JsonObject) => fields.some((field) => line[field] !== undefined)

type Sign = (line: JsonObject) => number

const when =
  (certainty: number, fits: (line: JsonObject) => boolean): Sign =>
  (line) =>
    fits(line) ? certainty : 0
/** For lines that other programs write as well. */
const ALIKE = 0.65

/** For a line of another program that wraps messages of another API in the same envelope. */
const FOREIGN = -1

/** Assistant and user lines: the field `message` holds the message in the form of the API. */
const spoken: Sign = (line) => {
  const { message } = line
  if (!isJsonObject(message)) return isText(message) ? ALIKE : 0
  if (!isText(message.content) && !Array.isArray(message.content)) return Object.keys(message).length > 0 ? FOREIGN : 0
  if (hasAny(OWN, line) || hasAny(['id', 'model', 'stop_reason'], message)) return 0.97
  return ALIKE
}

/** Lines that are recognised by the session that they name. */
const OF_SESSION = [
  ...['auth_status', 'prompt_suggestion', 'tool_use_summary', 'conversation_reset', 'ai-title', 'custom-title'],
  ...['agent-name', 'agent-color', 'agent-setting', 'last-prompt', 'permission-mode', 'pr-link', 'worktree-state'],
]
const ofSession = (certainty: number) => when(certainty, (line) => hasAny([...OWN, 'session_id'], line))
const named = (types: readonly string[], sign: Sign) => Object.fromEntries(types.map((type) => [type, sign]))

const signs: { readonly [type: string]: Sign } = {
  ...named(OF_SESSION, ofSession(0.9)),
  ...named(['active_goal', 'tag', 'mode'], ofSession(0.8)),
  assistant: spoken,
  user: spoken,
  stream_event: when(0.98, ({ event }) => isJsonObject(event) && isText(event.type)),
  system: (line) => (isText(line.subtype) ? (hasAny(FACTS, line) ? 1 : 0.8) : 0),
  result(line) {
    if (line.data !== undefined || !hasAny(['subtype', 'result', 'duration_ms'], line)) return 0
    return hasAny(FIGURES, line) ? 0.95 : ALIKE
  },
  tool_progress: when(0.95, ({ tool_use_id, tool_name }) => isText(tool_use_id) || isText(tool_name)),
  rate_limit_event: when(0.8, () => true),
  command_lifecycle: when(0.9, ({ command_uuid }) => isText(command_uuid)),
  keep_alive: when(0.3, () => true),
  control_request: when(0.95, ({ request }) => isJsonObject(request) && isText(request.subtype)),
  control_response: when(0.95, ({ response }) => isJsonObject(response)),
  control_cancel_request: when(0.9, ({ request_id }) => isText(request_id)),
  summary: when(0.95, ({ leafUuid }) => isText(leafUuid)),
  progress: when(0.95, (line) => isJsonObject(line.data) && hasAny([...OWN, 'parentToolUseID'], line)),
  attachment: when(0.9, (line) => isJsonObject(line.attachment)),
  'file-history-snapshot': when(0.95, ({ snapshot }) => isJsonObject(snapshot)),
  'queue-operation': when(0.95, ({ operation }) => isText(operation)),
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value) || typeof value.type !== 'string') return undefined
  const sign = Object.hasOwn(signs, value.type) ? signs[value.type] : undefined
  const certainty = sign === undefined ? 0 : sign(value)
  return certainty === 0 ? undefined : { certainty, reason: `a line of Claude Code, "${value.type}"` }
}
