import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from './guard.ts'

/** A shorter token can be guessed by anyone who can reach the server. */
const SHORTEST = 16

/** Why a configured token, or its absence, is not accepted at an address; undefined if it is accepted. */
export function tokenProblem(token: string | undefined, host: string): string | undefined {
  const isPrivate = isLoopback(host)
  if (token === undefined) {
    return isPrivate
      ? undefined
      : `Others can reach ${host}: the server starts there only with a token that you choose.`
  }
  if (token === '') return 'The token is empty.'
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return 'A token consists of visible ASCII characters without spaces: no other character is valid in a header.'
  }
  if (isPrivate || token.length >= SHORTEST) return undefined
  return `Others can reach ${host}: a token has at least ${SHORTEST} characters there.`
}

/** The token of a data folder: generated once, readable by its owner alone. */
export async function keptToken(dataFolder: string): Promise<string> {
  const path = join(dataFolder, 'token')
  const kept = await read(path)
  if (kept !== undefined) return kept
  await mkdir(dataFolder, { recursive: true })
  const token = randomBytes(24).toString('base64url')
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true })
    return (await publish(draft, path)) ?? token
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Makes the draft the token, whole or not at all. Returns the token of another server of the same folder if that was
 * faster: there is one for both.
 */
async function publish(draft: string, path: string): Promise<string | undefined> {
  try {
    await link(draft, path)
    return undefined
  } catch {
    const theirs = await read(path)
    // An empty file is what an earlier version leaves if it ends between making the file and filling it.
    if (theirs === undefined) await rename(draft, path)
    return theirs
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    const token = (await readFile(path, 'utf8')).trim()
    if (token === '') return undefined
    await closeToOthers(path)
    const problem = tokenProblem(token, 'localhost')
    if (problem !== undefined) throw new Error(`The token in ${path} cannot be used. ${problem}`)
    return token
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects if other users of the machine can read the file, and that cannot be changed. */
async function closeToOthers(path: string): Promise<void> {
  const isOpen = async () => ((await stat(path)).mode & 0o077) !== 0
  // Windows has no such modes.
  if (process.platform === 'win32' || !(await isOpen())) return
  await chmod(path, 0o600).catch(() => undefined)
  if (!(await isOpen())) return
  throw new Error(`Others can read the token in ${path}, and its mode cannot be changed: choose a token instead.`)
}
