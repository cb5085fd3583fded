import { join } from 'node:path'
import type { Script, ScriptedCall, Step } from '../../recorders/provider/script.ts'
import type { Cli } from './clis.ts'

/** What the person says. No prompt contains another one. */
export const prompts = {
  gauges: 'Read both gauges.',
  log: 'Write the log.',
  logAgain: 'And now write the log.',
  calm: 'Is it calm?',
  wait: 'Wait for the tide.',
} as const

/** The calls of the script, by the word that their inputs and titles contain. */
const calls = {
  tide: { kind: 'run', command: 'echo high > tide.txt' },
  lost: { kind: 'read', file: 'lost.txt' },
  wind: { kind: 'run', command: 'echo west > wind.txt' },
  rain: { kind: 'run', command: 'echo none > rain.txt' },
  late: { kind: 'run', command: 'tail -f /dev/null > late.txt' },
} as const

export type CallName = keyof typeof calls
export const callNames = Object.keys(calls) as readonly CallName[]

/** The file that the stopped call makes when it runs. */
export const LATE = 'late.txt'
/** The only call that the person denies. */
export const DENIED: CallName = 'wind'

export function callOf(name: CallName, cli: Cli, folder: string): ScriptedCall {
  const call = calls[name]
  return call.kind === 'run' ? cli.run(call.command) : cli.read(join(folder, call.file))
}

export const kindOf = (name: CallName) => calls[name].kind

const usage = { input: 10, output: 5 }

/** The same for every program: only the names and the inputs of the calls are its own. */
export function scriptFor(cli: Cli, folder: string): Script {
  const call = (name: CallName) => callOf(name, cli, folder)
  const gauges = { text: 'I read both gauges.', calls: [call('tide'), call('lost')], usage }
  const log = { text: 'I write the log.', calls: [call('rain'), call('wind')], usage }
  const written = { text: 'It is written.', usage }
  // A step is chosen by the results before it: those of the turns before count, too, if the session was resumed.
  const before = (...steps: readonly Step<ScriptedCall>[]) => steps
  return [
    { prompt: prompts.calm, steps: [...before(gauges, log), { text: 'Now it is calm.', usage }] },
    { prompt: prompts.logAgain, steps: [...before(gauges), log, written] },
    { prompt: prompts.log, steps: [log, written] },
    {
      prompt: prompts.wait,
      steps: [
        { text: 'I wait.', calls: [call('late')], usage },
        { text: 'It came.', usage },
      ],
    },
    { prompt: prompts.gauges, steps: [gauges, { text: 'Both are read.', usage }] },
  ]
}

/** What a person sees of a run: its texts and calls in their order, and its outcome. Calls of one step have no order. */
export type Picture = readonly string[]

export const expected = {
  gauges: (cli: Cli) => [
    'I read both gauges.',
    cli.asksToRead === undefined ? 'lost: failed' : 'lost: failed, approved',
    'tide: done, approved',
    'Both are read.',
    'success',
  ],
  calm: ['Now it is calm.', 'success'],
  log: (cli: Cli) => [
    'I write the log.',
    'rain: done, approved',
    'wind: denied, denied',
    ...(cli.afterDenial === undefined
      ? ['It is written.']
      : [cli.afterDenial.text].filter((text) => text !== undefined)),
    'success',
  ],
  stopped: (state: string) => ['I wait.', `late: ${state}, approved`, 'cancelled'],
} satisfies { readonly [turn: string]: Picture | ((words: never) => Picture) }
