import type { EventOf } from '../events.ts'
import { isJsonObject, type Json } from '../json.ts'

type ProgressFields = Pick<EventOf<'tool-progress'>, 'channel' | 'text' | 'data' | 'percent'>

/** The channels of a command's output. */
const CHANNELS: { readonly [subtype: string]: 'stdout' | 'stderr' } = { stdout_chunk: 'stdout', stderr_chunk: 'stderr' }

/** How the progress of a tool is logged. Text, the output of a command and a percentage are read; other progress of a tool is data. */
export function progressFields(data: Json | undefined): ProgressFields {
  if (typeof data === 'string') return { channel: 'text', text: data }
  if (!isJsonObject(data)) return { channel: 'data', data: data ?? null }
  const { subtype, content, percent, ...rest } = data as { readonly [field: string]: Json }
  const channel = CHANNELS[String(subtype)]
  if (channel !== undefined && typeof content === 'string' && percent === undefined && Object.keys(rest).length === 0) {
    return { channel, text: content }
  }
  return { channel: 'data', data, ...(typeof percent === 'number' && { percent }) }
}
