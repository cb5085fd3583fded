import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** Folders of programs that a service often lacks, because only the login shell adds them. */
const MORE_FOLDERS = ['~/.local/bin', '~/.bun/bin', '~/.opencode/bin', '/opt/homebrew/bin', '/usr/local/bin']

export type Found = { readonly path: string } | { readonly problem: string }

/** Looks a program up on the PATH and in the usual folders. Nothing is executed. */
export function findProgram(file: string, from: string, install?: string): Found {
  if (/\.(?:cmd|bat)$/i.test(file)) {
    return { problem: `${file} is a batch file: its shell would read the arguments again. Name the program itself.` }
  }
  const folders = searched()
  const candidates =
    isAbsolute(file) || file.includes('/') ? [resolve(from, file)] : folders.map((folder) => join(folder, file))
  const path = candidates.find(isProgram)
  if (path !== undefined) return { path }
  const where = candidates.length === 1 ? candidates[0] : `the PATH or in ${MORE_FOLDERS.join(', ')}`
  const advice = install === undefined ? '' : ` To install it, type: \`${install}\``
  return { problem: `There is no program "${file}" ${candidates.length === 1 ? 'at' : 'on'} ${where}.${advice}` }
}

function searched(): readonly string[] {
  const own = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return [...new Set([...own, ...MORE_FOLDERS.map((folder) => folder.replace('~', homedir()))])]
}

/** The PATH that a program gets: what found it finds its helpers, too. */
export const searchPath = (): string => searched().join(delimiter)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
