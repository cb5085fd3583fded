import { readFileSync } from 'node:fs'
import module from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { systemCode } from '../exit.ts'
import { type ConfigFile, configError } from './find-config.ts'

/** Hints for errors of Node whose message does not say what to do. */
const hints: { readonly [code: string]: (message: string) => string | undefined } = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: () =>
    'Node only removes the types. Write enums, namespaces and parameter properties as plain JavaScript.',
  ERR_MODULE_NOT_FOUND: (message) =>
    message.includes("package 'millrace'")
      ? 'Install millrace in this folder, or export the settings without defineConfig.'
      : undefined,
}

/** What the file exports. Throws a usage error, with the place of the fault, if it cannot be imported. */
export async function importModule({ path, name }: ConfigFile): Promise<{ readonly [name: string]: unknown }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const sentence = `${name} cannot be loaded${placeOf(cause, path)}: ${message.replace(/\.?$/, '.')}`
    const code = systemCode(cause)
    throw configError([sentence], code === undefined ? undefined : hints[code]?.(message), { cause })
  }
}

/** ` (line 3)` or ` (parser.ts, line 3)`: the first place outside of Node that the error names. Empty if it names none. */
function placeOf(error: unknown, path: string): string {
  if (!(error instanceof Error)) return ''
  const [file, line] = fromStack(error.stack ?? '') ?? []
  if (file !== undefined) return file === path ? ` (line ${line})` : ` (${relative('', file)}, line ${line})`
  // Node does not say where a syntax error of JavaScript is.
  const ownLine = error instanceof SyntaxError ? lineOfSyntaxError(readFileSync(path, 'utf8')) : undefined
  return ownLine === undefined ? '' : ` (line ${ownLine})`
}

/** A syntax error of TypeScript begins with its place; any other has it in the first frame that is a file's. */
function fromStack(stack: string): readonly [file: string, line: string] | undefined {
  const [, syntaxFile, syntaxLine] = /^(\S.*):(\d+)\n/.exec(stack) ?? []
  if (syntaxFile !== undefined && syntaxLine !== undefined) return [pathOf(syntaxFile), syntaxLine]
  const [, url, line] = /(file:\/\/[^\n]+?):(\d+):\d+\)?$/m.exec(stack) ?? []
  // The frames from here on are the command's own.
  return url === undefined || line === undefined || url === import.meta.url ? undefined : [pathOf(url), line]
}

const pathOf = (file: string) => (file.startsWith('file:') ? fileURLToPath(file) : file)

/** The line of the first syntax error in JavaScript or TypeScript; undefined if there is none, or Node cannot say. */
function lineOfSyntaxError(text: string): number | undefined {
  const { emitWarning } = process
  // Node warns that the function is experimental; here that would hide the error that is reported.
  process.emitWarning = () => undefined
  try {
    module.stripTypeScriptTypes(text)
    return undefined
  } catch (error) {
    const line = error instanceof Error ? /:(\d+)\n/.exec(error.stack ?? '')?.[1] : undefined
    return line === undefined ? undefined : Number(line)
  } finally {
    process.emitWarning = emitWarning
  }
}
