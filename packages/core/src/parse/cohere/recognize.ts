import { isJsonObject } from '../../json.ts'
import { type RawRecord, TERMINATOR } from '../../source/source.ts'
import { objectIn } from '../kit/fields.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

/** Other streams use the same types: a record is recognised by the field of `delta.message` that its type has. */
const carries = (field: string) => sign(1, ({ delta }) => field in objectIn(objectIn(delta).message))
const hasIndex = sign(0.7, ({ index }) => typeof index === 'number')

const recognizeEvent = bySigns(
  {
    'message-start': sign(1, ({ delta }) => isJsonObject(objectIn(delta).message)),
    'content-start': carries('content'),
    'content-delta': carries('content'),
    'content-end': hasIndex,
    'tool-plan-delta': carries('tool_plan'),
    'tool-call-start': carries('tool_calls'),
    'tool-call-delta': carries('tool_calls'),
    'tool-call-end': hasIndex,
    'citation-start': carries('citations'),
    'citation-end': hasIndex,
    'message-end': sign(0.95, ({ delta }) => 'finish_reason' in objectIn(delta) || 'usage' in objectIn(delta)),
    response: sign(0.9, ({ message, finish_reason, usage }) => {
      const isWhole = objectIn(message).role === 'assistant' && typeof finish_reason === 'string'
      return isWhole && ('tokens' in objectIn(usage) || 'billed_units' in objectIn(usage))
    }),
  },
  (type) => `a record is a Cohere ${type}`,
  ({ type }) => (typeof type === 'string' ? type : 'response'),
)

const OLD_TYPES =
  /^(?:stream-(?:start|end)|(?:text|citation|search-queries|tool-calls)-generation|search-results|tool-calls-chunk|debug)$/

export function recognize(record: RawRecord): Recognition | undefined {
  const { value } = record
  if (value === TERMINATOR) return { certainty: 0.3, reason: `the stream says ${TERMINATOR}` }
  if (!isJsonObject(value) || typeof value.is_finished !== 'boolean') return recognizeEvent(record)
  const { event_type, text, finish_reason } = value
  if (typeof event_type === 'string' && OLD_TYPES.test(event_type))
    return { certainty: 0.95, reason: `a record is a Cohere ${event_type}` }
  const isGenerated = event_type === undefined && (typeof text === 'string' || typeof finish_reason === 'string')
  return isGenerated ? { certainty: 0.7, reason: 'a record is text that Cohere generated' } : undefined
}
