import { fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure, systemCode, usageError } from './exit.ts'

/** Bytes to read, from a file or from stdin. */
export interface Input {
  /** The number of bytes, if it is known. */
  readonly size: number | undefined
  /** The next bytes, in a buffer that is not reused; undefined at the end. */
  read(): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

const READ_SIZE = 64 * 1024

/** The one positional argument of a command that reads: a path, `-` or none. */
export function inputPath(positionals: readonly string[]): string | undefined {
  const [path, ...others] = positionals
  if (others.length > 0) throw usageError(`Expected at most one FILE, but got ${positionals.length}.`)
  return path === '-' ? undefined : path
}

/** Opens a file, or stdin if `path` is undefined. Throws a usage error if there is nothing to read. */
export function openInput(path: string | undefined): Promise<Input> {
  return path === undefined ? openStdin() : openFile(path)
}

async function openStdin(): Promise<Input> {
  if (process.stdin.isTTY) throw usageError('Nothing to read: name a FILE, or pipe a stream into the command.')
  const chunks = process.stdin[Symbol.asyncIterator]()
  return {
    size: sizeOf(fstatSync(0)),
    async read() {
      const { value, done } = await chunks.next()
      return done ? undefined : (value as Uint8Array)
    },
    // Otherwise a producer that is still writing would keep the command alive.
    close: async () => void process.stdin.destroy(),
  }
}

async function openFile(path: string): Promise<Input> {
  const handle = await openHandle(path)
  const stat = await handle.stat()
  if (stat.isDirectory()) {
    await handle.close()
    throw new Failure('usage', 'input-not-readable', `${path} is a folder, not a file.`)
  }
  return {
    size: sizeOf(stat),
    async read() {
      // A new buffer for each read: the consumer may keep the bytes.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(READ_SIZE), 0, READ_SIZE)
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
    },
    close: () => handle.close(),
  }
}

/** Only a regular file has a size before it is read. */
function sizeOf(stat: { isFile(): boolean; readonly size: number }): number | undefined {
  return stat.isFile() ? stat.size : undefined
}

const reasons: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EACCES: (path) => `${path} cannot be read: permission denied.`,
}

async function openHandle(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    const code = systemCode(cause)
    const reason = code === undefined ? undefined : reasons[code]
    if (reason === undefined) throw cause
    throw new Failure('usage', code === 'EACCES' ? 'input-not-readable' : 'input-not-found', reason(path), undefined, {
      cause,
    })
  }
}
