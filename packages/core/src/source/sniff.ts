import { jsonArray } from './json-array.ts'
import { jsonLines } from './json-lines.ts'
import type { CreateSource, RawRecord, SettledFraming, Source } from './source.ts'
import { sse } from './sse.ts'

/** How many bytes may be looked at before a framing is settled. */
const LOOK_AHEAD = 64 * 1024

const SSE_LINE = /^(?::|(?:data|event|id|retry)(?::|$))/

const sources: { readonly [Framing in SettledFraming]: CreateSource } = {
  sse,
  'json-lines': jsonLines,
  'json-array': jsonArray,
}

/** Settles the framing from the first bytes and goes on as that source. The bytes alone decide, not how they were cut. */
export const sniff: CreateSource = (options) => {
  let source: Source | undefined
  let framing: SettledFraming | undefined
  let held: Uint8Array[] = []
  let size = 0

  function settle(isEnd: boolean): RawRecord[] {
    const bytes = joined(held, size)
    framing = framingOf(new TextDecoder().decode(bytes.subarray(0, LOOK_AHEAD)), isEnd || size >= LOOK_AHEAD)
    if (framing === undefined) {
      held = [bytes]
      return []
    }
    source = sources[framing](options)
    held = []
    return source.feed(bytes)
  }

  return {
    feed(bytes) {
      if (source !== undefined) return source.feed(bytes)
      held.push(bytes)
      size += bytes.length
      return settle(false)
    },
    end() {
      const records = source === undefined ? settle(true) : []
      return source === undefined ? records : [...records, ...source.end()]
    },
    framing: () => framing,
  }
}

/** The framing of a stream that begins so; nothing while more of it could still change the answer. */
function framingOf(start: string, isAll: boolean): SettledFraming | undefined {
  const text = start.trimStart()
  if (text.startsWith('{') || text.startsWith('"')) return 'json-lines'
  if (text.startsWith('[')) return framingOfBracket(text, isAll)
  const lines = text.split(/\r\n|\r|\n/)
  const complete = isAll ? lines : lines.slice(0, -1)
  for (const line of complete) {
    if (SSE_LINE.test(line)) return 'sse'
    if (line.startsWith('{') || line.startsWith('[')) return 'json-lines'
  }
  return isAll ? 'json-lines' : undefined
}

/** `[` begins one array over the whole stream, or the first of many lines that are arrays. */
function framingOfBracket(text: string, isAll: boolean): SettledFraming | undefined {
  const end = text.search(/\r|\n/)
  if (end === -1) return isAll ? framingOfOneLine(text) : undefined
  const line = text.slice(0, end)
  // `[INFO] starting` is a line of a log, not the beginning of an array.
  if (!isJson(line)) return /^\[\s*(?:$|[{["])/.test(line) ? 'json-array' : 'json-lines'
  const rest = text.slice(end).trimStart()
  if (rest !== '') return 'json-lines'
  return isAll ? framingOfOneLine(line) : undefined
}

function framingOfOneLine(line: string): SettledFraming {
  return /^\[\s*(?:\{|\])/.test(line) ? 'json-array' : 'json-lines'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
