import { jsonArray } from './json-array.ts'
import { jsonLines } from './json-lines.ts'
import { createLines } from './lines.ts'
import { createDecoder } from './record-text.ts'
import type { CreateSource, DetectedFraming, RawRecord, Source } from './source.ts'
import { sse } from './sse.ts'

/** The maximum number of bytes that are inspected before a framing is chosen. */
const LOOK_AHEAD = 64 * 1024

const SSE_LINE = /^(?::|(?:data|event|id|retry)(?::|$))/

const sources: { readonly [Framing in DetectedFraming]: CreateSource } = {
  sse,
  'json-lines': jsonLines,
  'json-array': jsonArray,
}

/** Detects the framing from the first bytes and continues as that source. The bytes decide, not where they were cut. */
export const sniff: CreateSource = (options) => {
  const detector = createDetector()
  let source: Source | undefined
  let framing: DetectedFraming | undefined
  let held: Uint8Array[] = []
  let size = 0

  function startSource(found: DetectedFraming): readonly [Source, RawRecord[]] {
    const started = sources[found](options)
    const bytes = joined(held, size)
    framing = found
    source = started
    held = []
    return [started, started.feed(bytes)]
  }

  return {
    feed(bytes) {
      if (source !== undefined) return source.feed(bytes)
      held.push(bytes)
      const found = detector.feed(bytes.subarray(0, LOOK_AHEAD - size))
      size += bytes.length
      if (found !== undefined) return startSource(found)[1]
      return size < LOOK_AHEAD ? [] : startSource(detector.end())[1]
    },
    end() {
      const [ended, records] = source === undefined ? startSource(detector.end()) : ([source, []] as const)
      return [...records, ...ended.end()]
    },
    framing: () => framing,
  }
}

interface FramingDetector {
  /** Returns the framing once later bytes cannot change it. */
  feed(bytes: Uint8Array): DetectedFraming | undefined
  end(): DetectedFraming
}

/** Inspects each byte once: a line is checked when it is complete, not again with each chunk. */
function createDetector(): FramingDetector {
  const decoder = createDecoder()
  let found: DetectedFraming | undefined
  let isBegun = false
  /** The first line, if it is a JSON array: one array over the whole stream, or the first of many. */
  let array: string | undefined
  let isFirstLine = true
  let isEnd = false
  const lines = createLines(LOOK_AHEAD, (line) => {
    if (found !== undefined) return
    if (array !== undefined) found = line.trim() === '' ? undefined : 'json-lines'
    // A JSON document over many lines is read like the elements of an array.
    else if (isFirstLine && line.trimEnd() === '{' && !isEnd) found = 'json-array'
    else if (isFirstLine && line.startsWith('"')) found = 'json-lines'
    else if (!isFirstLine || !line.startsWith('[')) found = framingOfLine(line)
    else if (isEnd || isJson(line)) array = line
    // `[INFO] starting` is a log line, not the beginning of an array.
    else found = /^\[\s*(?:$|[{["])/.test(line) ? 'json-array' : 'json-lines'
    isFirstLine = false
  })

  function add(decoded: string): void {
    const text = isBegun ? decoded : decoded.trimStart()
    if (text === '') return
    isBegun = true
    lines.feed(text)
  }

  return {
    feed(bytes) {
      add(decoder.decode(bytes))
      return found
    },
    end() {
      add(decoder.end())
      isEnd = true
      lines.end()
      return found ?? (array === undefined ? 'json-lines' : framingOfOneLine(array))
    },
  }
}

function framingOfLine(line: string): DetectedFraming | undefined {
  if (SSE_LINE.test(line)) return 'sse'
  return line.startsWith('{') || line.startsWith('[') ? 'json-lines' : undefined
}

function framingOfOneLine(line: string): DetectedFraming {
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

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
