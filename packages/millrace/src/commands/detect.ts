import { command } from '../command.ts'
import { addMembers, configFlag } from '../config/find-config.ts'
import { exitCodes } from '../exit.ts'
import { detectAmong, notRecognised, readFirstRecords } from '../first-records.ts'
import { framed, framings, openSource } from '../formats.ts'
import { inputPath, openInput } from '../input.ts'
import { openOutput } from '../output.ts'

const flags = {
  framing: { type: 'string', value: 'FRAMING', about: `how records are separated: ${framings.join(', ')}` },
  config: configFlag,
} as const

export const detect = command({
  usage: 'millrace detect [FILE] [--framing FRAMING]',
  summary: 'name the format of a stream',
  about: [
    'Prints the format, two spaces and the reason. Reads only as much of FILE or stdin as detection needs.',
    'The parsers of millrace.config.ts or .js, if there is one in the working folder, take part.',
    'If it is not sure, it prints nothing, gives the reason on stderr and exits with 3.',
  ],
  examples: ['millrace detect run.jsonl', 'curl -sN https://example.com/stream | millrace detect'],
  flags,
  async run({ framing = 'auto', config }, positionals, messages) {
    await addMembers(config)
    const source = openSource(framing)
    const input = framed(await openInput(inputPath(positionals)), framing)
    try {
      const { format, certainty, reason } = detectAmong(await readFirstRecords(input, source))
      if (format === undefined) throw notRecognised(reason)
      const output = openOutput(undefined)
      output.write(messages.json ? `${JSON.stringify({ format, certainty, reason })}\n` : `${format}  ${reason}\n`)
      await output.flush()
      return exitCodes.ok
    } finally {
      await input.close()
    }
  },
})
