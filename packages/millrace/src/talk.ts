import type { commonFlags, Values } from './args.ts'
import type { Failure } from './exit.ts'
import { createPaint, type Paint } from './paint.ts'

/** What the command says to the person, on stderr: stdout belongs to the data. */
export interface Talk {
  /** Paints for stderr. */
  readonly paint: Paint
  /** How wide a line of the terminal is; endless where there is none. */
  readonly columns: number
  readonly json: boolean
  readonly quiet: boolean
  /** A note that `-q` silences; with `--json` nothing, since notes are for people. */
  note(text: string): void
  /** A note for `-v` alone. */
  detail(text: string): void
  /** What was asked for by a flag: said even with `-q`. */
  answer(text: string): void
  /** One JSON object, for `--json`. */
  object(value: object): void
  /** Why the command ends, and where to go from there. */
  failure(failure: Failure, hint: string | undefined): void
}

export function createTalk(values: Values<typeof commonFlags>): Talk {
  const paint = createPaint(process.stderr, values['no-color'] === true)
  const { json = false, quiet = false, verbose = false } = values
  const line = (text: string) => process.stderr.write(`${text}\n`)
  const say = (shown: boolean) => (text: string) => {
    if (shown && !json) line(text)
  }
  return {
    paint,
    columns: process.stderr.columns ?? Number.POSITIVE_INFINITY,
    json,
    quiet,
    note: say(!quiet),
    detail: say(verbose && !quiet),
    answer: say(true),
    object: (value) => line(JSON.stringify(value)),
    failure({ code, message }, hint) {
      if (json) line(JSON.stringify({ error: { code, message: shown(message) } }))
      else line(`${paint('red', 'millrace:')} ${shown(message)}${hint === undefined ? '' : `\n${paint('dim', hint)}`}`)
    },
  }
}

/** Names of files and arguments stand in sentences: a terminal is to show them, not to obey them. */
function shown(sentence: string): string {
  return sentence.replace(/\p{Cc}/gu, (sign) => `\\x${hexOf(sign)}`)
}

const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0')
