import { command } from '../command.ts'
import { addMembers, configFlag } from '../config/find-config.ts'
import { convertAll, recognise } from '../conversion.ts'
import { exitCodes, usageError } from '../exit.ts'
import { AUTO, aliasNames, formatNames, framed, framings, openSource, parserNamed } from '../formats.ts'
import { inputPath, openInput } from '../input.ts'
import { type Output, openOutput, refuseSameFile } from '../output.ts'
import { type ProgressBar, withProgressBar } from '../progress-bar.ts'
import { printSummary } from '../summary.ts'
import { createTally } from '../tally.ts'
import { allTargets, findTarget, type Target } from '../targets.ts'

/** Those of this version; settings may add others. */
const targets = Object.entries(allTargets())
const wires = targets.flatMap(([name, { isWire }]) => (isWire ? [name] : []))
const profiles = targets.flatMap(([, { profiles }]) => profiles)

const flags = {
  from: { type: 'string', value: 'FORMAT', about: `the format of the input (default: ${AUTO})` },
  to: { type: 'string', value: 'TARGET', about: 'the target of the conversion' },
  framing: { type: 'string', value: 'FRAMING', about: `how records are separated: ${framings.join(', ')}` },
  sse: { type: 'boolean', about: `write a wire (${wires.join(', ')}) as server-sent events` },
  profile: { type: 'string', value: 'NAME', about: `a profile of the wire: ${profiles.join(', ')}` },
  output: { type: 'string', short: 'o', value: 'FILE', about: 'write to a file instead of stdout' },
  report: { type: 'boolean', about: 'list on stderr what the target cannot carry of this run' },
  strict: {
    type: 'boolean',
    about: 'exit with 4 if records could not be parsed; the output is the same',
  },
  config: configFlag,
} as const

export const convert = command({
  usage: 'millrace convert [FILE] [--from FORMAT] --to TARGET',
  summary: 'convert a recorded or live stream',
  about: [
    `FORMAT is ${[AUTO, ...formatNames].join(', ')}, or one of the aliases ${aliasNames.join(', ')}.`,
    ['TARGET is one of', ...targets.map(([name, { about }]) => `  ${name.padEnd(16)}${about}`)].join('\n'),
    'The parsers and wires of millrace.config.ts or .js, if there is one in the working folder, are used too.',
    'Without FILE, or with -, it reads stdin. Records that are not understood are kept as raw events and counted on stderr.',
    [
      'Exit codes',
      '  0  converted, whatever the outcome of the run',
      '  1  the output could not be written, or something else failed',
      '  2  usage error, or nothing to read',
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
  async run(values, positionals, messages) {
    const { from = AUTO, framing = 'auto', sse = false, report = false } = values
    await addMembers(values.config)
    const [to, target] = targetFor(values)
    const namedParser = parserNamed(from)
    const source = openSource(framing)
    const { input, progressBar } = withProgressBar(framed(await openInput(inputPath(positionals)), framing), messages)
    let output: Output | undefined
    try {
      refuseSameFile(input, values.output)
      const recognised = await recognise(from, namedParser, input, source)
      output = clearingBar(openOutput(values.output), progressBar)
      const tally = createTally(report ? target.losses : {})
      const profile = values.profile === undefined ? {} : { profile: values.profile }
      const writer = target.open({ runId: 'run', threadId: 'thread', sse, ...profile }, output.write)
      const records = await convertAll({ input, source, recognised, writer, output, tally })
      progressBar.clear()
      const counts = tally.counts()
      printSummary({ ...recognised, to, target, records, counts, report }, messages)
      return values.strict && counts.unparsable > 0 ? exitCodes.damaged : exitCodes.ok
    } finally {
      progressBar.clear()
      await output?.close()
      await input.close()
    }
  },
})

/** The target of `--to`. Throws a usage error if it does not support the other flags. */
function targetFor({ to, sse, profile }: { to?: string; sse?: boolean; profile?: string }): [string, Target] {
  const hint = `Targets: ${Object.keys(allTargets()).join(', ')}.`
  if (to === undefined) throw usageError('The target is missing: add --to TARGET.', hint)
  const target = findTarget(to)
  if (target === undefined) throw usageError(`There is no target "${to}" in this version.`, hint)
  if (sse && !target.isWire)
    throw usageError(`--sse needs a wire, and ${to} is not one.`, `Wires: ${wires.join(', ')}.`)
  if (profile !== undefined && !target.profiles.includes(profile)) {
    const hint = target.profiles.length === 0 ? 'It has no profiles.' : `Its profiles: ${target.profiles.join(', ')}.`
    throw usageError(`${to} has no profile "${profile}".`, hint)
  }
  return [to, target]
}

/** If the data goes to a terminal, the progress bar is cleared before each write. */
function clearingBar(output: Output, progressBar: ProgressBar): Output {
  if (!output.isTerminal) return output
  return {
    ...output,
    flush() {
      progressBar.clear()
      return output.flush()
    },
  }
}
