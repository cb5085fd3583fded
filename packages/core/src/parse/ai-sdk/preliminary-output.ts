import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'

type ToolProgress = EventOf<'tool-progress'>

const CHANNELS: ReadonlySet<string> = new Set(['stdout', 'stderr', 'text'])

/**
 * What a preliminary output adds to the one before it: each repeats the one before. Added text is text progress, any
 * other change is data.
 */
export function preliminaryEvents(callId: string, output: Json, before: Json | undefined): readonly ToolProgress[] {
  const base = { type: 'tool-progress' as const, callId }
  if (typeof output === 'string') return textProgress(callId, 'text', output, before)
  if (!isJsonObject(output) || !Object.keys(output).every((key) => isChannelField(key, output[key]))) {
    return [{ ...base, channel: 'data', data: output }]
  }
  const last = isJsonObject(before) ? before : {}
  return Object.entries(output).flatMap(([channel, value]) => {
    if (typeof value === 'string' && channel !== 'data') {
      return textProgress(callId, channel as ToolProgress['channel'], value, last[channel])
    }
    if (channel === 'percent') {
      return value === last.percent ? [] : [{ ...base, channel: 'data', percent: value as number }]
    }
    return JSON.stringify(value) === JSON.stringify(last.data)
      ? []
      : [{ ...base, channel: 'data' as const, data: value }]
  })
}

/** The shape in which Millrace writes progress: a field per channel. */
function isChannelField(key: string, value: Json | undefined): boolean {
  if (key === 'percent') return typeof value === 'number'
  return key === 'data' || (CHANNELS.has(key) && typeof value === 'string')
}

function textProgress(
  callId: string,
  channel: ToolProgress['channel'],
  text: string,
  before: Json | undefined,
): readonly ToolProgress[] {
  const isMore = typeof before === 'string' && text.startsWith(before)
  const more = isMore ? text.slice(before.length) : text
  return more === '' ? [] : [{ type: 'tool-progress', callId, channel, text: more }]
}
