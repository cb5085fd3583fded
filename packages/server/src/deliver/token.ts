import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The token of a data folder: generated once, readable by its owner alone. */
export async function keptToken(dataFolder: string): Promise<string> {
  const path = join(dataFolder, 'token')
  const kept = await read(path)
  if (kept !== undefined) return kept
  await mkdir(dataFolder, { recursive: true })
  const token = randomBytes(24).toString('base64url')
  try {
    await writeFile(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
    return token
  } catch (error) {
    // Another server of the same folder was faster: one token for both.
    const theirs = await read(path)
    if (theirs === undefined) throw error
    return theirs
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    const token = (await readFile(path, 'utf8')).trim()
    return token === '' ? undefined : token
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
