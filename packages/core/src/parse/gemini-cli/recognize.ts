import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

interface Sign {
  readonly certainty: number
  readonly fits: (line: JsonObject) => boolean
}

/** The certainty of each type, and the fields that it must have. Other tools print messages, results and errors too. */
const signs: { readonly [type: string]: Sign } = {
  init: { certainty: 0.95, fits: ({ session_id, model }) => isText(session_id) && isText(model) },
  message: { certainty: 0.85, fits: ({ role, content }) => isText(role) && isText(content) },
  tool_use: { certainty: 0.95, fits: ({ tool_name, tool_id }) => isText(tool_name) && isText(tool_id) },
  tool_result: { certainty: 0.95, fits: ({ tool_id, status }) => isText(tool_id) && isText(status) },
  error: { certainty: 0.8, fits: ({ severity, message }) => isText(severity) && isText(message) },
  result: {
    certainty: 0.9,
    fits: ({ status, stats, error }) => isText(status) && (isJsonObject(stats) || isJsonObject(error)),
  },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  const sign = typeof type === 'string' && Object.hasOwn(signs, type) ? signs[type] : undefined
  if (!sign?.fits(value)) return undefined
  // Every line has a time. A line without one may be of another program.
  const certainty = isText(value.timestamp) ? sign.certainty : sign.certainty * 0.7
  return { certainty, reason: `a line is a ${type} of the Gemini CLI` }
}
