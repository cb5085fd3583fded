import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Out } from '../kit/voice.ts'

type EventBase = Pick<EventOf<'tool-progress'>, 'type' | 'callId' | 'agentId'>

const TEXT_CHANNELS: ReadonlySet<string> = new Set(['stdout', 'stderr', 'text'])

/**
 * Adds what a preliminary output adds to the one before it: each repeats the one before. Added text is text progress,
 * any other change is data.
 */
export function pushPreliminary(out: Out, base: EventBase, output: Json, before: Json | undefined): void {
  if (typeof output === 'string') pushText(out, base, 'text', output, before)
  else if (!isJsonObject(output) || !Object.entries(output).every(isChannel))
    out.push({ ...base, channel: 'data', data: output })
  else {
    const last = isJsonObject(before) ? before : {}
    for (const [channel, value] of Object.entries(output)) {
      if (typeof value === 'string' && channel !== 'data') pushText(out, base, channel, value, last[channel])
      else if (JSON.stringify(value) === JSON.stringify(last[channel])) continue
      else if (channel === 'percent') out.push({ ...base, channel: 'data', percent: value as number })
      else out.push({ ...base, channel: 'data', data: value })
    }
  }
}

/** The shape in which Millrace writes progress: a field per channel. */
function isChannel([name, value]: [string, Json]): boolean {
  if (name === 'percent') return typeof value === 'number'
  return name === 'data' || (TEXT_CHANNELS.has(name) && typeof value === 'string')
}

function pushText(out: Out, base: EventBase, channel: string, text: string, before: Json | undefined): void {
  const isMore = typeof before === 'string' && text.startsWith(before)
  const more = isMore ? text.slice(before.length) : text
  if (more !== '') out.push({ ...base, channel: channel as 'text', text: more })
}
