import { command } from '../command.ts'
import { convertAll, recognise } from '../conversion.ts'
import { exitCodes, usageError } from '../exit.ts'
import { AUTO, aliasNames, formatNames, frameworkNamed } from '../formats.ts'
import { framed, framings, openSource } from '../framing.ts'
import { inputPath, openInput } from '../input.ts'
import { type Output, openOutput, refuseSameFile } from '../output.ts'
import { type Progress, watched } from '../progress.ts'
import { tellSummary } from '../summary.ts'
import { createTally } from '../tally.ts'
import { findTarget, type Target, targets } from '../targets.ts'

const targetNames = Object.keys(targets)
const wires = targetNames.filter((name) => findTarget(name)?.isWire)
const profiles = targetNames.flatMap((name) => findTarget(name)?.profiles ?? [])

const flags = {
  from: { type: 'string', value: 'FORMAT', about: `the input's format, ${AUTO} unless named` },
  to: { type: 'string', value: 'TARGET', about: 'what to convert to' },
  framing: { type: 'string', value: 'FRAMING', about: `how records are laid out: ${framings.join(', ')}` },
  sse: { type: 'boolean', about: `write a wire (${wires.join(', ')}) as server-sent events` },
  profile: { type: 'string', value: 'NAME', about: `a dialect of the wire: ${profiles.join(', ')}` },
  output: { type: 'string', short: 'o', value: 'FILE', about: 'write to a file instead of stdout' },
  report: { type: 'boolean', about: 'name on stderr what the target cannot carry of this run' },
  strict: {
    type: 'boolean',
    about: 'exit with 4 where records could not be parsed, with the same output',
  },
} as const

export const convert = command({
  usage: 'millrace convert [FILE] [--from FORMAT] --to TARGET',
  summary: 'turn a recorded or live stream into another shape',
  about: [
    `FORMAT is ${[AUTO, ...formatNames].join(', ')}, or one of the aliases ${aliasNames.join(', ')}.`,
    ['TARGET is one of', ...targetNames.map((name) => `  ${name.padEnd(16)}${findTarget(name)?.about}`)].join('\n'),
    'FILE may be left out or be -, for stdin. Records that cannot be read are kept as raw events and counted on stderr.',
    [
      'Exit codes',
      '  0  converted, whatever the outcome of the run',
      '  2  called wrongly, or nothing to read',
      '  3  the format was not recognised',
      '  4  some records could not be parsed (with --strict only)',
    ].join('\n'),
  ],
  examples: [
    'millrace convert run.jsonl --to chat-events',
    'millrace convert stream.sse --from anthropic-messages --to ai-sdk --sse',
    'my-agent | millrace convert --to events | head -3',
  ],
  flags,
  async run(values, positionals, talk) {
    const { from = AUTO, framing = 'auto', sse = false, report = false } = values
    const [to, target] = targetFor(values)
    const given = frameworkNamed(from)
    const source = openSource(framing)
    const path = inputPath(positionals)
    refuseSameFile(path, values.output)
    const { input, progress } = watched(framed(await openInput(path), framing), talk)
    let output: Output | undefined
    try {
      const recognised = await recognise(from, given, input, source)
      output = clearing(openOutput(values.output), progress)
      const tally = createTally(report ? target.losses : {})
      const profile = values.profile === undefined ? {} : { profile: values.profile }
      const writer = target.open({ runId: 'run', threadId: 'thread', sse, ...profile }, output.write)
      const records = await convertAll({ input, source, recognised, writer, output, tally })
      progress.clear()
      const counts = tally.counts()
      tellSummary({ ...recognised, to, target, records, counts, report }, talk)
      return values.strict && counts.unparsable > 0 ? exitCodes.damaged : exitCodes.ok
    } finally {
      progress.clear()
      await output?.close()
      await input.close()
    }
  },
})

/** The target, once it is known that it can do what the flags ask of it. */
function targetFor({ to, sse, profile }: { to?: string; sse?: boolean; profile?: string }): [string, Target] {
  const hint = `Targets: ${targetNames.join(', ')}.`
  if (to === undefined) throw usageError('What to convert to is missing: add --to TARGET.', hint)
  const target = findTarget(to)
  if (target === undefined) throw usageError(`There is no target "${to}" in this version.`, hint)
  if (sse && !target.isWire) throw usageError(`--sse is for wires, and ${to} is none.`, `Wires: ${wires.join(', ')}.`)
  if (profile !== undefined && !target.profiles.includes(profile)) {
    const known = target.profiles.length === 0 ? 'It has none.' : `Its profiles: ${target.profiles.join(', ')}.`
    throw usageError(`${to} has no profile "${profile}".`, known)
  }
  return [to, target]
}

/** On a terminal that shows the data too, the progress line makes room for it. */
function clearing(output: Output, progress: Progress): Output {
  if (!output.isTerminal) return output
  return {
    ...output,
    flush() {
      progress.clear()
      return output.flush()
    },
  }
}
