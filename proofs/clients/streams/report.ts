import { LIBRARIES, type ReadStream } from './try-streams.ts'

/** The part of the report about packages that read event streams. */
export function streamsReport(read: readonly ReadStream[]): string {
  const wires = [...new Set(read.map(({ wire }) => wire))]
  const cellOf = (library: string, wire: string) => {
    const one = read.find((each) => each.library === library && each.wire === wire)
    return one?.problems.length === 0 ? 'kept' : 'BROKEN'
  }
  return [
    '## Event streams',
    '',
    'Each package reads a stored run on each wire through a proxy that cuts the stream three times, and comes back by itself.',
    'It has to get every chunk once, with its cursor. `ws` leaves behind every fifth message and comes back with `?after=`.',
    '`EventSource`, `@microsoft/fetch-event-source` and `sse.js` run in Chromium, the others in Node.',
    '',
    `| package | ${wires.map((wire) => `\`${wire}\``).join(' | ')} |`,
    `|---|${wires.map(() => '---|').join('')}`,
    ...Object.keys(LIBRARIES).map(
      (library) => `| ${[`\`${library}\``, ...wires.map((wire) => cellOf(library, wire))].join(' | ')} |`,
    ),
    '',
    'Cut between frames only:',
    '',
    ...Object.entries(LIBRARIES).flatMap(([library, { wholeFrames }]) =>
      wholeFrames === undefined ? [] : [`- \`${library}\`: ${wholeFrames}.`],
    ),
    '',
  ].join('\n')
}
