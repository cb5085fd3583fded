import { StreamError } from '../errors.ts'
import { agUi } from './ag-ui.ts'
import { agentEvent } from './agent-event.ts'
import { aiSdk } from './ai-sdk.ts'
import { dsAgent } from './ds-agent.ts'
import { eventSegments } from './event-segments.ts'
import type { Format } from './format.ts'
import { native } from './native.ts'

/** The registry: one line per wire protocol. The key is its `--to` and `wire=` value. */
export const formats = {
  native,
  'ai-sdk': aiSdk,
  'ag-ui': agUi,
  'agent-event': agentEvent,
  'event-segments': eventSegments,
  'ds-agent': dsAgent,
} as const satisfies { readonly [wire: string]: Format }

export type Wire = keyof typeof formats

/** The format of a registry name. Throws `unknown-wire`. */
export function getFormat(wire: string): Format {
  if (!Object.hasOwn(formats, wire)) throw new StreamError('unknown-wire', wire)
  return formats[wire as Wire]
}
