import { commonFlags, type Flags, readArguments, type Values } from './args.ts'
import { createMessages, type Messages } from './messages.ts'

type CommonValues = Values<typeof commonFlags>

/** The description of a command. Its help is built from it. */
interface Description {
  readonly usage: string
  readonly summary: string
  /** What to know before using it, one paragraph per item. */
  readonly about: readonly string[]
  readonly examples: readonly string[]
  /** Whether it handles interrupts itself, to shut down cleanly. */
  readonly takesInterrupts?: boolean
}

interface Definition<F extends Flags> extends Description {
  readonly flags: F
  /** Does the work and returns the exit code. Throws a `Failure` if it cannot finish. */
  run(values: Values<F>, positionals: readonly string[], messages: Messages): Promise<number>
}

/** One row of the table of commands. */
export interface Command extends Description {
  readonly flags: Flags
  /** Reads the arguments; the returned `run` does the work. Throws a usage error if they are not valid. */
  prepare(args: readonly string[]): { readonly values: CommonValues; run(): Promise<number> }
}

export function command<const F extends Flags>(definition: Definition<F>): Command {
  return {
    ...definition,
    prepare(args) {
      const { values, positionals } = readArguments(args, { ...commonFlags, ...definition.flags })
      const common: CommonValues = values
      return { values: common, run: () => definition.run(values as Values<F>, positionals, createMessages(common)) }
    },
  }
}
