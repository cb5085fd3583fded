import { type BigIntStats, fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Failure, systemCode, usageError } from './exit.ts'

/** Bytes to read, from a file or from stdin. */
export interface Input {
  /** The number of bytes, if it is known. */
  readonly size: number | undefined
  /** Which file it is, whatever its name; undefined if it is not a regular file. */
  readonly identity: string | undefined
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
  const stat = fstatSync(0, { bigint: true })
  if (stat.isDirectory()) throw folderError('stdin')
  const chunks = process.stdin[Symbol.asyncIterator]()
  return {
    ...factsOf(stat),
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
  const stat = await handle.stat({ bigint: true })
  if (stat.isDirectory()) {
    await handle.close()
    throw folderError(path)
  }
  return {
    ...factsOf(stat),
    async read() {
      // A new buffer for each read: the consumer may keep the bytes.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(READ_SIZE), 0, READ_SIZE)
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
    },
    close: () => handle.close(),
  }
}

function folderError(name: string): Failure {
  return new Failure('usage', 'input-not-readable', `${name} is a folder, not a file.`)
}

/** Only a regular file has a size before it is read. */
function factsOf(stat: BigIntStats): Pick<Input, 'size' | 'identity'> {
  return { size: stat.isFile() ? Number(stat.size) : undefined, identity: identityOf(stat) }
}

/** The same for all names and links of a regular file. */
export function identityOf(stat: BigIntStats): string | undefined {
  return stat.isFile() ? `${stat.dev}:${stat.ino}` : undefined
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
