import { fstatSync, readFileSync } from 'node:fs'
import { commonFlags, readArguments } from './args.ts'
import type { Command } from './command.ts'
import { convert } from './commands/convert.ts'
import { detect } from './commands/detect.ts'
import { helpOf, overview } from './commands/help.ts'
import { create } from './commands/new.ts'
import { serve } from './commands/serve.ts'
import { exitCodes, Failure, systemCode, usageError } from './exit.ts'
import { createMessages, createPaint, type Paint } from './messages.ts'
import { openOutput } from './output.ts'

/** The table of commands. */
const commands: { readonly [name: string]: Command } = { serve, convert, detect, new: create }

/** Runs the command with these arguments and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // A closed stderr does not end the command.
  process.stderr.on('error', () => {})
  try {
    return await dispatch(args)
  } catch (error) {
    return failed(error, args)
  }
}

function dispatch(args: readonly string[]): Promise<number> {
  const at = args.findIndex((argument) => !argument.startsWith('-'))
  const name = args[at]
  if (name === undefined) return withoutCommand(args)
  const others = args.toSpliced(at, 1)
  if (name === 'help') return dispatch([...others, '--help'])
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw usageError(`There is no command "${name}".`, `Commands: ${commandNames()}.`)
  if (!command.takesInterrupts) process.once('SIGINT', () => process.exit(exitCodes.interrupted))
  const { values, run } = command.prepare(others)
  return values.help ? print(values['no-color'], (paint) => helpOf(command, paint)) : run()
}

function withoutCommand(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, { ...commonFlags, version: { type: 'boolean', about: '' } })
  if (values.version) return print(true, () => `${version()}\n`)
  if (values.help !== true && isPiped()) {
    throw usageError('A command is missing to read the piped input.', 'Example: … | millrace convert --to events')
  }
  return print(values['no-color'], (paint) => overview(commands, paint))
}

async function print(noColor: boolean | undefined, textOf: (paint: Paint) => string): Promise<number> {
  const output = openOutput(undefined)
  output.write(textOf(createPaint(process.stdout, noColor === true)))
  await output.flush()
  return exitCodes.ok
}

/** Reports the error, unless it is only that the reader of stdout has gone, as with `| head`. */
function failed(error: unknown, args: readonly string[]): number {
  if (systemCode(error) === 'EPIPE') return exitCodes.ok
  const messages = createMessages({ json: args.includes('--json'), 'no-color': args.includes('--no-color') })
  const failure =
    error instanceof Failure
      ? error
      : new Failure('failed', systemCode(error) ?? 'failed', error instanceof Error ? error.message : String(error))
  messages.failure(failure, failure.hint ?? (failure.code === 'usage' ? helpHint(args) : undefined))
  return exitCodes[failure.exit]
}

function helpHint(args: readonly string[]): string {
  const command = args.find((argument) => Object.hasOwn(commands, argument))
  return `Help: millrace ${command === undefined ? '' : `${command} `}--help`
}

const commandNames = () => [...Object.keys(commands), 'help'].join(', ')

/** Whether stdin is a pipe, a file or a socket. A terminal or /dev/null does not count. */
function isPiped(): boolean {
  const stdin = fstatSync(0)
  return stdin.isFIFO() || stdin.isFile() || stdin.isSocket()
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
