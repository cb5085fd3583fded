import { readFileSync } from 'node:fs'
import { registerParser } from '@millrace/core/parse'
import { registerWire } from '@millrace/core/wire'
import { checkFile } from './check-config.ts'
import type { Config } from './config.ts'
import { type ConfigFile, configError } from './find-config.ts'
import { importModule } from './import-module.ts'

/** The settings of a file. Throws a usage error that lists everything that is wrong with it. */
export async function readConfig(file: ConfigFile): Promise<Config> {
  const value = file.isJson ? parsedJson(file) : await defaultExport(file)
  const problems = checkFile(value, file.isJson)
  if (problems.length > 0) throw configError(problems.map((problem) => `${file.name}: ${problem}`))
  return value as Config
}

/** Adds the parsers and wires of the settings to this process. */
export function registerMembers({ parsers = {}, wires = {} }: Config): void {
  for (const [name, parser] of Object.entries(parsers)) registerParser(name, parser)
  for (const [name, wire] of Object.entries(wires)) registerWire(name, wire)
}

/** A file of settings for people who edit it on Windows may begin with a byte order mark. */
function parsedJson({ path, name }: ConfigFile): unknown {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw configError([`${name} is not valid JSON: ${withLine((cause as Error).message, text)}.`], undefined, { cause })
  }
}

/** Some messages of JSON.parse quote ten characters on either side instead of naming the line; these may be a token's. */
function withLine(message: string, text: string): string {
  const [, problem, excerpt] =
    /^(Unexpected token .*?), (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/su.exec(message) ?? []
  if (problem === undefined || excerpt === undefined) return message
  const at = text.indexOf(excerpt)
  const fault = message.includes(', ..."') ? at + EXCERPT : at + excerpt.length - EXCERPT
  return at < 0 || excerpt === text ? problem : `${problem} (line ${text.slice(0, fault).split('\n').length})`
}

const EXCERPT = 10

async function defaultExport(file: ConfigFile): Promise<unknown> {
  const module = await importModule(file)
  if ('default' in module) return module.default
  throw configError([`${file.name} has no default export.`], 'Example: export default { port: 8080 }')
}
