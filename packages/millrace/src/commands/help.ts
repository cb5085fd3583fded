import { commonFlags, type Flags } from '../args.ts'
import type { Command } from '../command.ts'
import type { Paint } from '../messages.ts'

/** The help of `millrace`. */
export function overview(commands: { readonly [name: string]: Command }, paint: Paint): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)
  return sections([
    `Any agent's stream in, the same picture out, on any wire.`,
    headed(paint, 'Usage', ['millrace COMMAND [FLAGS]']),
    headed(paint, 'Commands', columns([...rows, ['help', 'show the help of a command']])),
    headed(paint, 'Flags', [...flagLines(commonFlags), ...columns([['    --version', 'show the version']])]),
    headed(
      paint,
      'Examples',
      Object.values(commands).flatMap(({ examples }) => examples),
    ),
    'Run millrace COMMAND --help for more about a command.',
  ])
}

/** The help of one command. */
export function helpOf({ usage, summary, about, flags, examples }: Command, paint: Paint): string {
  return sections([
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    headed(paint, 'Usage', [usage]),
    ...about.map(wrapped),
    headed(paint, 'Flags', flagLines({ ...flags, ...commonFlags })),
    headed(paint, 'Examples', examples),
  ])
}

const sections = (parts: readonly string[]) => `${parts.join('\n\n')}\n`

function headed(paint: Paint, heading: string, lines: readonly string[]): string {
  return [paint('bold', heading), ...lines.map((line) => `  ${line}`)].join('\n')
}

function flagLines(flags: Flags): string[] {
  return columns(
    Object.entries(flags).map(([name, { short, value, about }]) => {
      const names = `${short === undefined ? '    ' : `-${short}, `}--${name}`
      return [value === undefined ? names : `${names} ${value}`, about]
    }),
  )
}

const WIDTH = 80
const COLUMN = 22

/** A left side that is wider than its column has a line to itself. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([left, right]) => {
    const isWide = left.length > COLUMN
    const lines = linesWithin(WIDTH - COLUMN - 3, right)
    const besides = lines.map((line, index) => `${(index === 0 && !isWide ? left : '').padEnd(COLUMN)} ${line}`)
    return isWide ? [left, ...besides] : besides
  })
}

/** A paragraph in lines of at most `WIDTH` characters. One that already has line breaks keeps them. */
function wrapped(paragraph: string): string {
  return paragraph.includes('\n') ? paragraph : linesWithin(WIDTH, paragraph).join('\n')
}

function linesWithin(width: number, text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
