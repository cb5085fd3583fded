import { createWriteStream, fstatSync, openSync, statSync, type WriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { Failure, systemCode, usageError } from './exit.ts'
import { type Input, identityOf } from './input.ts'

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
  if (path === undefined) return createOutput(process.stdout, 'stdout', process.stdout.isTTY === true, async () => {})
  const file = openFile(path)
  return createOutput(file, path, false, () => new Promise((resolve) => file.end(resolve)))
}

/** Throws if both are one file, by any name: the command would empty its input, or read its own output without end. */
export function refuseSameFile({ identity }: Pick<Input, 'identity'>, path: string | undefined): void {
  if (identity === undefined || identity !== outputIdentity(path)) return
  throw usageError(`${path ?? 'stdout'} is the input: one file cannot be both input and output.`)
}

function outputIdentity(path: string | undefined): string | undefined {
  try {
    return identityOf(path === undefined ? fstatSync(1, { bigint: true }) : statSync(path, { bigint: true }))
  } catch {
    // A file that does not exist yet cannot be the input; any other trouble is reported when it is opened.
    return undefined
  }
}

function createOutput(stream: Writable, name: string, isTerminal: boolean, close: () => Promise<void>): Output {
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
      return new Promise((resolve, reject) =>
        stream.write(text, (error) => (error ? reject(failureOf(error, name)) : resolve())),
      )
    },
    close,
  }
}

/** A closed pipe stays as it is: it is no failure. */
function failureOf(cause: Error, name: string): Error {
  if (systemCode(cause) === 'EPIPE') return cause
  const reason = systemCode(cause) === 'ENOSPC' ? 'there is no space left' : cause.message
  return new Failure('failed', 'output-not-writable', `${name} cannot be written: ${reason}.`, undefined, { cause })
}

function openFile(path: string): WriteStream {
  try {
    return createWriteStream(path, { fd: openSync(path, 'w') })
  } catch (cause) {
    const sentence = `${path} cannot be written: ${(cause as Error).message}.`
    throw new Failure('usage', 'output-not-writable', sentence, undefined, { cause })
  }
}
