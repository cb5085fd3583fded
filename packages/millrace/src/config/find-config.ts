import { existsSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { Failure, usageError } from '../exit.ts'

/** A file of settings that exists. */
export interface ConfigFile {
  readonly path: string
  /** As messages name it. */
  readonly name: string
  /** JSON cannot hold parsers and wires. */
  readonly isJson: boolean
  /** Whether `--config` names it. */
  readonly isNamed: boolean
}

const names = ['millrace.config.ts', 'millrace.config.js', 'millrace.config.json']
const extensions = ['.ts', '.js', '.json']

export const configFlag = {
  type: 'string',
  value: 'FILE',
  about: 'the file with the settings (default: millrace.config.ts, .js or .json, if there is one)',
} as const

/** The file that `--config` names, or the one in the folder; undefined if there is none. Throws a usage error for two. */
export function findConfig(named: string | undefined, folder: string): ConfigFile | undefined {
  if (named !== undefined) return namedConfig(named, folder)
  const [found, ...others] = names.filter((name) => existsSync(resolve(folder, name)))
  if (found === undefined) return undefined
  if (others.length > 0) {
    const list = [found, ...others].join(' and ')
    throw configError(
      [`${list} exist side by side, and only one can be used.`],
      'Remove one, or name one with --config.',
    )
  }
  return configFile(found, folder, false)
}

function namedConfig(named: string, folder: string): ConfigFile {
  if (!extensions.includes(extname(named))) {
    throw usageError(`--config must name a file that ends in .ts, .js or .json, not "${named}".`)
  }
  const stat = statSync(resolve(folder, named), { throwIfNoEntry: false })
  if (stat === undefined) throw usageError(`--config: there is no file ${named}.`)
  if (stat.isDirectory()) throw usageError(`--config: ${named} is a folder, not a file.`)
  return configFile(named, folder, true)
}

function configFile(name: string, folder: string, isNamed: boolean): ConfigFile {
  return { path: resolve(folder, name), name, isJson: extname(basename(name)) === '.json', isNamed }
}

/** All that is wrong with the settings, one sentence each. */
export function configError(sentences: readonly string[], hint?: string, options?: ErrorOptions): Failure {
  return new Failure('usage', 'config', sentences, hint, options)
}

/**
 * Adds the parsers and wires of the settings to this process, for a command that needs nothing else of them. Without a file
 * the modules that read one are not loaded.
 */
export async function addMembers(named: string | undefined): Promise<void> {
  const file = findConfig(named, process.cwd())
  if (file === undefined || (file.isJson && !file.isNamed)) return
  const { readConfig, registerMembers } = await import('./read-config.ts')
  registerMembers(await readConfig(file))
}
