import type { Stage } from './mutant.ts'

const folder = 'packages/millrace/src'

export const command: Stage = {
  name: 'command',
  tests: ['packages/millrace/test', 'test/laws-command.test.ts'],
  mutants: [
    {
      file: `${folder}/commands/convert.ts`,
      find: 'counts.unparsable > 0 ? exitCodes.damaged',
      replace: 'counts.unparsable > 1e9 ? exitCodes.damaged',
      promise: '--strict exits with 4',
    },
    {
      file: `${folder}/targets.ts`,
      find: 'if (sse && terminator !== undefined)',
      replace: 'if (terminator !== undefined)',
      promise: '[DONE] comes with --sse only',
    },
    {
      file: `${folder}/commands/detect.ts`,
      find: 'if (format === undefined) throw notRecognised(reason)',
      replace: 'if (format === undefined) return exitCodes.ok',
      promise: 'detect exits with 3 if it is not sure',
    },
    {
      file: `${folder}/conversion.ts`,
      find: '    take(source.end())\n',
      replace: '',
      promise: 'a last record without a line end is converted',
    },
    {
      file: `${folder}/conversion.ts`,
      find: '  take(recognised.first.records)\n',
      replace: '',
      promise: 'the records that were read to detect the format are converted too',
    },
    {
      file: `${folder}/messages.ts`,
      find: 'const text = escapeControls(message)',
      replace: 'const text = message',
      promise: 'an error message cannot control the terminal',
    },
  ],
}
