import { commonFlags, type Flags, readArguments, type Values } from './args.ts'
import { createTalk, type Talk } from './talk.ts'

type CommonValues = Values<typeof commonFlags>

/** What a command says about itself; the help is made of it. */
interface Description {
  readonly usage: string
  readonly summary: string
  /** What a person should know before using it, in paragraphs. */
  readonly about: readonly string[]
  readonly examples: readonly string[]
  /** Whether it takes an interruption itself, to end in good order. */
  readonly takesInterrupts?: boolean
}

interface Definition<F extends Flags> extends Description {
  readonly flags: F
  /** Does the work and answers with the exit code. Throws a `Failure` for what ends it early. */
  run(values: Values<F>, positionals: readonly string[], talk: Talk): Promise<number>
}

/** One row of the table of commands. */
export interface Command extends Description {
  readonly flags: Flags
  /** Reads the arguments; what it returns does the work. Throws a usage error. */
  prepare(args: readonly string[]): { readonly values: CommonValues; run(): Promise<number> }
}

export function command<const F extends Flags>(definition: Definition<F>): Command {
  return {
    ...definition,
    prepare(args) {
      const { values, positionals } = readArguments(args, { ...commonFlags, ...definition.flags })
      const common: CommonValues = values
      return { values: common, run: () => definition.run(values as Values<F>, positionals, createTalk(common)) }
    },
  }
}
