import { withoutTrailing } from '../without-trailing.ts'

/** A range of output in one style. */
export interface Span {
  readonly text: string
  /** Class names; none for plain text. */
  readonly style: string
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/**
 * Everything that a terminal would obey: CSI, then strings (OSC, DCS, SOS, PM, APC) up to their end or the end of the
 * text, then other escapes, then single controls. Only the colours of CSI are kept, everything else is dropped.
 */
const CONTROL =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|(?=\x1b)|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

const ANY_CONTROL = /[\x1b\x9b]/

/** All colours end here, whatever was before. */
const RESET = /(?:\x1b\[|\x9b)0?m/

/** Output as inert text with colours: no cursor moves, links, titles, clipboard access or terminal queries. */
export function spansOf(output: string): readonly Span[] {
  return spansWith(withoutOverwritten(output), createPen())
}

/** The lines of an output. Each is read when it is asked for, with the colour that the lines before it have left. */
export interface StyledLines {
  readonly count: number
  /** The characters of the longest line, with its controls. */
  readonly width: number
  spans(line: number): readonly Span[]
}

export function createStyledLines(output: string): StyledLines {
  const lines = withoutTrailing(withoutOverwritten(output), '\n').split('\n')
  /** The colour and the weight with which lines begin, once they are known. */
  const begins = new Map<number, PenState>([[0, ['', '']]])
  const penOf = (line: number): Pen => {
    let from = begins.has(line) ? line : line - 1
    // What was before a reset does not matter: most programs reset at the end of each line.
    while (!begins.has(from) && !RESET.test(lines[from] ?? '')) from--
    const pen = createPen(...(begins.get(from) ?? []))
    for (let next = from; next < line; next++) {
      const text = lines[next] ?? ''
      if (ANY_CONTROL.test(text))
        for (const [, codes = '', final] of text.matchAll(CONTROL)) if (final === 'm') pen.apply(codes)
      begins.set(next + 1, pen.state())
    }
    return createPen(...pen.state())
  }
  return {
    count: lines.length,
    width: lines.reduce((longest, { length }) => Math.max(longest, length), 0),
    spans: (line) => spansWith(lines[line] ?? '', penOf(line)),
  }
}

function spansWith(text: string, pen: Pen): readonly Span[] {
  const spans: Span[] = []
  let at = 0
  const add = (part: string) => {
    if (part !== '') spans.push({ text: part, style: pen.style() })
  }
  for (const match of text.matchAll(CONTROL)) {
    add(text.slice(at, match.index))
    at = match.index + match[0].length
    if (match[2] === 'm') pen.apply(match[1] ?? '')
  }
  add(text.slice(at))
  return spans
}

export function plainText(output: string): string {
  return spansOf(output)
    .map(({ text }) => text)
    .join('')
}

/** A progress bar overwrites its line: a terminal shows its last state. */
function withoutOverwritten(output: string): string {
  if (!output.includes('\r')) return output
  return output
    .split('\n')
    .map((line) => withoutTrailing(line, '\r').split('\r').at(-1))
    .join('\n')
}

/** `38;5;n` and `38;2;r;g;b`, of the text, its background and its underline: their contrast here is not known. */
const ARBITRARY_COLOURS = new Set([38, 48, 58])

type PenState = readonly [colour: string, weight: string]

interface Pen {
  style(): string
  apply(parameters: string): void
  state(): PenState
}

function createPen(colour = '', weight = ''): Pen {
  const set = (code: number): void => {
    if (code === 0) [colour, weight] = ['', '']
    else if (code === 1) weight = 'mr-bold'
    else if (code === 2) weight = 'mr-dim'
    else if (code === 22) weight = ''
    else if (code === 39) colour = ''
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) colour = `mr-ansi-${COLOURS[code % 10]}`
  }
  return {
    style: () => `${colour} ${weight}`.trim(),
    state: () => [colour, weight],
    apply(parameters: string): void {
      // Numbers after a colon detail their code: `4:3` is a kind of underline, `38:5:196` a colour.
      const codes = parameters.split(';').map((code) => Number.parseInt(code || '0', 10))
      for (let index = 0; index < codes.length; index++) {
        const code = codes[index] ?? 0
        if (!ARBITRARY_COLOURS.has(code)) set(code)
        else if (!parameters.split(';')[index]?.includes(':')) index += codes[index + 1] === 2 ? 4 : 2
      }
    },
  }
}
