import type { Readable, Writable } from 'node:stream'
import type { Trace } from './trace.ts'

export interface Line {
  /** As it was printed, with its line break. */
  readonly bytes: Uint8Array
  /** Its JSON; undefined if it is none. */
  readonly value: unknown
}

/** What a dialect has of a program. */
export interface Pipe {
  /** What it prints, line by line, until it closes its stdout. */
  readonly lines: AsyncIterable<Line>
  /** What it prints, as it comes, instead of `lines`. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Sends one line of JSON. */
  write(value: object): void
  writeText(text: string): void
  closeInput(): void
  /** The program has said how the run ends: it shall end now, and how it exits does not matter. */
  finish(): void
  /** The run fails; the program is stopped. */
  fail(error: unknown): void
}

export interface PipeOptions extends Pick<Pipe, 'finish' | 'fail'> {
  readonly input: Writable
  readonly output: Readable
  readonly longestLine: number
  readonly trace: Trace | undefined
  onBytes(count: number): void
  onLongLine(): void
  /** The output has ended in the middle of a line. */
  onPartialLine(): void
}

export function createPipe(options: PipeOptions): Pipe {
  const { input, output, longestLine, trace, onBytes, onLongLine, onPartialLine, finish, fail } = options

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of output as AsyncIterable<Buffer>) {
        onBytes(chunk.byteLength)
        trace?.received(chunk)
        yield chunk
      }
    } catch (error) {
      // The process is gone, and somebody else held its output open.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    }
  }

  async function* lines(): AsyncGenerator<Line> {
    let parts: Uint8Array[] = []
    let size = 0
    for await (const chunk of chunks()) {
      let from = 0
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
        parts.push(chunk.subarray(from, end + 1))
        from = end + 1
        yield lineOf(parts)
        parts = []
        size = 0
      }
      if (from === chunk.byteLength) continue
      parts.push(chunk.subarray(from))
      size += chunk.byteLength - from
      if (size <= longestLine) continue
      onLongLine()
      return
    }
    if (parts.length === 0) return
    onPartialLine()
    yield lineOf(parts)
  }

  function writeText(text: string): void {
    if (!input.writable) return
    trace?.sent(text)
    input.write(text)
  }

  return {
    lines: { [Symbol.asyncIterator]: lines },
    chunks: { [Symbol.asyncIterator]: chunks },
    write: (value) => writeText(`${JSON.stringify(value)}\n`),
    writeText,
    closeInput: () => void input.end(),
    finish,
    fail,
  }
}

const LF = 10

function lineOf(parts: readonly Uint8Array[]): Line {
  const [only] = parts
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
  try {
    return { bytes, value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) }
  } catch {
    return { bytes, value: undefined }
  }
}
