import { createWriteStream, openSync, realpathSync, type WriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { Failure, usageError } from './exit.ts'

/** Where the data goes. Text is gathered and leaves in large writes. */
export interface Output {
  readonly isTerminal: boolean
  /** Gathers text; synchronous, for inner loops. */
  write(text: string): void
  /** Hands over what was gathered and waits until it was taken. Rejects with `EPIPE` when nobody reads any more. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** A file, or stdout where there is no path. A file is emptied when it is opened, so open it once there is data. */
export function openOutput(path: string | undefined): Output {
  if (path === undefined) return createOutput(process.stdout, process.stdout.isTTY === true, async () => {})
  const file = openFile(path)
  return createOutput(file, false, () => new Promise((resolve) => file.end(resolve)))
}

/** Throws where writing to the one would empty the other before it was read. */
export function refuseSameFile(inputPath: string | undefined, outputPath: string | undefined): void {
  if (inputPath === undefined || outputPath === undefined) return
  if (realPath(inputPath) === realPath(outputPath)) throw usageError(`${outputPath} cannot be both input and output.`)
}

function createOutput(stream: Writable, isTerminal: boolean, close: () => Promise<void>): Output {
  let gathered = ''
  // Each write reports its own failure; without a listener the same one would also end the process loudly.
  stream.on('error', () => {})
  return {
    isTerminal,
    write(text) {
      gathered += text
    },
    flush() {
      if (gathered === '') return Promise.resolve()
      const text = gathered
      gathered = ''
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
    // A file that is not there yet is nobody else.
    return path
  }
}
