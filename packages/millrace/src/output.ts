import { createWriteStream, openSync, realpathSync, type WriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { Failure, usageError } from './exit.ts'

/** Where the data goes. Text is buffered and leaves in large writes. */
export interface Output {
  readonly isTerminal: boolean
  /** Buffers text; synchronous, for inner loops. */
  write(text: string): void
  /** Writes the buffered text and resolves once it is written. Rejects with `EPIPE` if the reader has gone. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** A file, or stdout if `path` is undefined. Opening a file empties it, so open it once there is data. */
export function openOutput(path: string | undefined): Output {
  if (path === undefined) return createOutput(process.stdout, process.stdout.isTTY === true, async () => {})
  const file = openFile(path)
  return createOutput(file, false, () => new Promise((resolve) => file.end(resolve)))
}

/** Throws if both are one file: writing would empty it before it is read. */
export function refuseSameFile(inputPath: string | undefined, outputPath: string | undefined): void {
  if (inputPath === undefined || outputPath === undefined) return
  if (realPath(inputPath) === realPath(outputPath)) throw usageError(`${outputPath} cannot be both input and output.`)
}

function createOutput(stream: Writable, isTerminal: boolean, close: () => Promise<void>): Output {
  let buffered = ''
  // Each write reports its own error; without a listener the same error would also crash the process.
  stream.on('error', () => {})
  return {
    isTerminal,
    write(text) {
      buffered += text
    },
    flush() {
      if (buffered === '') return Promise.resolve()
      const text = buffered
      buffered = ''
      return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
    },
    close,
  }
}

function openFile(path: string): WriteStream {
  try {
    return createWriteStream(path, { fd: openSync(path, 'w') })
  } catch (cause) {
    const sentence = `${path} cannot be written: ${(cause as Error).message}.`
    throw new Failure('usage', 'output-not-writable', sentence, undefined, { cause })
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A file that does not exist yet cannot be the other one.
    return path
  }
}
