import { styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

/** Styles text where colors are wanted, and leaves it alone where they are not. */
export type Paint = (style: Style, text: string) => string

interface Screen {
  readonly isTTY?: boolean
}

/** `--no-color` outranks NO_COLOR, which outranks FORCE_COLOR, which outranks what the stream is. */
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
