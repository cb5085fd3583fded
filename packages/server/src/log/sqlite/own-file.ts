import { closeSync, constants, fchmodSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LogError } from '../errors.ts'

/** What the system's codes mean for whoever has chosen the folder. */
const reasons: { readonly [code: string]: string } = {
  EACCES: 'there is no permission',
  EPERM: 'there is no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'the path leads through a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'the folder cannot be made',
  EISDIR: 'there is a folder in its place',
  ELOOP: 'a symbolic link is in its place',
}

/** A file for its owner alone, made with its folder if need be. Throws a sentence that says what is in the way. */
export function ownFile(folder: string, name: string): string {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Somebody else's link must not lead us to change the file that it names.
    const handle = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600)
    fchmodSync(handle, 0o600)
    closeSync(handle)
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    throw new LogError(isFull ? 'log-full' : 'log-failed', `"${file}" cannot be opened, ${reasons[code] ?? message}`, {
      cause,
    })
  }
  return file
}
