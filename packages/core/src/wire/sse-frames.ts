import type { Chunk } from './wire.ts'

/** A chunk that is already JSON text, as a server-sent event. Concatenation is a tenth faster than a template here. */
export function sseFrameOf(json: string, cursor?: string): string {
  // biome-ignore lint/style/useTemplate: the hot path of every wire
  return cursor === undefined ? 'data: ' + json + '\n\n' : 'data: ' + json + '\nid: ' + cursor + '\n\n'
}

/** The same for a wire whose clients want the cursor first. */
export function cursorFirstFrameOf(json: string, cursor: string): string {
  return `id: ${cursor}\ndata: ${json}\n\n`
}

/**
 * One chunk as a server-sent event. JSON contains no raw line break, so one `data:` line is always enough. It comes
 * first, for readers that look only for `data:`.
 */
export function sseFrame(chunk: Chunk, cursor?: string): string {
  return sseFrameOf(JSON.stringify(chunk), cursor)
}

/** The terminator of a wire that has one. */
export function sseTerminator(terminator: string): string {
  return `data: ${terminator}\n\n`
}
