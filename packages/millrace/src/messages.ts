import { styleText } from 'node:util'
import type { commonFlags, Values } from './args.ts'
import type { Failure } from './exit.ts'

/** Messages for people, on stderr: stdout is for the data. */
export interface Messages {
  /** Styles text for stderr. */
  readonly paint: Paint
  /** The width of the terminal; infinite if stderr is not one. */
  readonly columns: number
  readonly json: boolean
  readonly quiet: boolean
  /** A note for people: not printed with `-q` or `--json`. */
  note(text: string): void
  /** A note that only `-v` prints. */
  detail(text: string): void
  /** What a flag asked for: printed even with `-q`, but not with `--json`. */
  answer(text: string): void
  /** One JSON object, for `--json`. */
  object(value: object): void
  /** Why the command fails, and what to do about it. */
  failure(failure: Failure, hint: string | undefined): void
}

export function createMessages(values: Values<typeof commonFlags>): Messages {
  const paint = createPaint(process.stderr, values['no-color'] === true)
  const { json = false, quiet = false, verbose = false } = values
  const line = (text: string) => process.stderr.write(`${text}\n`)
  const write = (isShown: boolean) => (text: string) => {
    if (isShown && !json) line(text)
  }
  return {
    paint,
    columns: process.stderr.columns ?? Number.POSITIVE_INFINITY,
    json,
    quiet,
    note: write(!quiet),
    detail: write(verbose && !quiet),
    answer: write(true),
    object: (value) => line(JSON.stringify(value)),
    failure({ code, sentences }, hint) {
      const text = sentences.map(escapeControls).join('\n')
      const hintLine = hint === undefined ? '' : `\n${paint('dim', hint)}`
      line(
        json
          ? JSON.stringify({ error: { code, message: text } })
          : `${paint('red', 'millrace:')} ${text.replaceAll('\n', `\n${INDENT}`)}${hintLine}`,
      )
    },
  }
}

/** Further sentences begin below the first one. */
const INDENT = ' '.repeat('millrace: '.length)

/** Messages quote file names and arguments, whose control characters the terminal must not obey. */
function escapeControls(sentence: string): string {
  return sentence.replace(/\p{Cc}/gu, (sign) => `\\x${hexOf(sign)}`)
}

const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0')

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

/** Styles text if colors are enabled; else returns it unchanged. */
export type Paint = (style: Style, text: string) => string

interface Screen {
  readonly isTTY?: boolean
}

/** `--no-color` outranks NO_COLOR, which outranks FORCE_COLOR, which outranks the kind of the stream. */
function wantsColor(screen: Screen, noColor: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (noColor || environment.NO_COLOR) return false
  const forced = environment.FORCE_COLOR
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return screen.isTTY === true && environment.TERM !== 'dumb'
}

export function createPaint(screen: Screen, noColor: boolean): Paint {
  if (!wantsColor(screen, noColor, process.env)) return (_style, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}
