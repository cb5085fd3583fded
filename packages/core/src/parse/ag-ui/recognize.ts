import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** Types of AG-UI: no other format writes them in capitals. */
const TYPES =
  /^(RUN_(STARTED|FINISHED|ERROR)|STEP_(STARTED|FINISHED)|TEXT_MESSAGE_(START|CONTENT|END|CHUNK)|TOOL_CALL_(START|ARGS|END|CHUNK|RESULT)|REASONING_\w+|THINKING_\w+|STATE_(SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|ACTIVITY_(SNAPSHOT|DELTA)|SUBAGENT_(STARTED|FINISHED|ERROR)|RAW|CUSTOM|USAGE_METADATA)$/

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value as { readonly type?: unknown }
  if (typeof type !== 'string' || !TYPES.test(type)) return undefined
  return { certainty: 0.95, reason: `a record is an AG-UI ${type}` }
}
