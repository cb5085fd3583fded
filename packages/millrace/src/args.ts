import { parseArgs } from 'node:util'
import { systemCode, usageError } from './exit.ts'

/** One flag: how it is read and how the help describes it. */
interface Flag {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** It may be passed several times. */
  readonly multiple?: boolean
  /** The placeholder for its value in the help. */
  readonly value?: string
  readonly about: string
}

export type Flags = { readonly [name: string]: Flag }

/** The value of each flag that was passed. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]?: F[Name] extends { readonly multiple: true }
    ? readonly string[]
    : F[Name]['type'] extends 'string'
      ? string
      : boolean
}

export interface Arguments<F extends Flags> {
  readonly values: Values<F>
  readonly positionals: readonly string[]
}

/** The flags that every command has. */
export const commonFlags = {
  help: { type: 'boolean', short: 'h', about: 'show this help' },
  quiet: { type: 'boolean', short: 'q', about: 'print errors only' },
  verbose: { type: 'boolean', short: 'v', about: 'print details of what was read and written' },
  json: { type: 'boolean', about: 'print messages as JSON, one object per line' },
  'no-color': { type: 'boolean', about: 'disable colors (NO_COLOR and FORCE_COLOR are respected too)' },
} as const satisfies Flags

/** Reads a command's arguments. Throws a usage error for anything that the flags do not allow. */
export function readArguments<F extends Flags>(args: readonly string[], flags: F): Arguments<F> {
  try {
    const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)]))
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values: values as Values<F>, positionals }
  } catch (error) {
    if (!systemCode(error)?.startsWith('ERR_PARSE_ARGS_')) throw error
    throw usageError(firstSentence((error as Error).message))
  }
}

function optionOf({ type, short, multiple = false }: Flag) {
  return { type, multiple, ...(short !== undefined && { short }) }
}

/** Node's messages go on to explain escaping; their first sentence names the error. */
function firstSentence(message: string): string {
  const [sentence = message] = message.split(/\.\s/)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
