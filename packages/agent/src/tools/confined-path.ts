import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/**
 * The real path of a file, which exists or could be made, inside a folder; throws for any other, also if a link leads
 * outside. Whoever changes links at the same moment can still be faster: that takes a program, which is asked for.
 */
export async function confinedPath(folder: string, path: string): Promise<string> {
  const root = await realpath(folder)
  let existing = resolve(root, path)
  const missing: string[] = []
  for (let real = await realOf(existing); ; real = await realOf(existing)) {
    if (real !== undefined) {
      if (real !== root && !real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) throw outside(path)
      return join(real, ...missing)
    }
    missing.unshift(basename(existing))
    existing = dirname(existing)
  }
}

const outside = (path: string) => new Error(`${path} is outside the folder that the agent works in.`)

/** Undefined if nothing is there. A link to nothing is refused: whoever writes to it makes its target. */
async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    if (await isThere(path)) throw new Error(`${path} is a link that leads nowhere.`)
    return undefined
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** A path inside the folder as a model names it. */
export const shortPath = async (folder: string, path: string): Promise<string> =>
  relative(await realpath(folder), path) || '.'

/** Throws, with a sentence, unless the path is a file: a pipe or a device would be read without an end. */
export async function fileStats(path: string, name: string): Promise<Stats> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Error(`There is no file ${name}.`)
  if (!found.isFile()) throw new Error(`${name} is not a file.`)
  return found
}
