import type { Stage } from './mutant.ts'

const folder = 'packages/millrace/src'

export const command: Stage = {
  name: 'command',
  tests: ['packages/millrace/test', 'test/laws-command.test.ts', 'packages/server/test/serve.test.ts'],
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
      find: 'sentences.map(escapeControls)',
      replace: 'sentences',
      promise: 'an error message cannot control the terminal',
    },
    {
      file: `${folder}/input.ts`,
      find: 'return bytesRead === 0 ? undefined',
      replace: 'return bytesRead < READ_SIZE ? undefined',
      promise: 'a short read does not end the input (and its bytes are kept)',
    },
    {
      file: `${folder}/input.ts`,
      find: '    close: async () => void process.stdin.destroy(),',
      replace: '    close: async () => {},',
      promise: 'a producer that goes on writing does not keep the command alive',
    },
    {
      file: `${folder}/output.ts`,
      find: "      buffered = ''\n      return new",
      replace: '      return new',
      promise: 'nothing is written twice',
    },
    {
      file: `${folder}/main.ts`,
      find: "if (systemCode(error) === 'EPIPE') return exitCodes.ok",
      replace: "if (systemCode(error) === 'EPIPE') return exitCodes.failed",
      promise: 'a closed pipe is no failure',
    },
    {
      file: `${folder}/main.ts`,
      find: "  process.stderr.on('error', () => {})\n",
      replace: '',
      promise: 'a closed stderr does not end the command',
    },
    {
      file: `${folder}/main.ts`,
      find: 'return stdin.isFIFO() || stdin.isFile() || stdin.isSocket()',
      replace: 'return stdin.isFIFO() || stdin.isSocket()',
      promise: 'a file on stdin is input',
    },
    {
      file: `${folder}/messages.ts`,
      find: 'if (noColor || environment.NO_COLOR) return false',
      replace: 'if (noColor) return false',
      promise: 'NO_COLOR is respected',
    },
    {
      file: `${folder}/commands/serve.ts`,
      find: 'process.off(signal, onSignal).once(signal, () => process.exit(exitCodes.interrupted))',
      replace: 'process.off(signal, onSignal)',
      promise: 'a second signal ends the process',
    },
    {
      file: `${folder}/commands/serve.ts`,
      find: '    await store.close()\n    throw failureOf',
      replace: '    throw failureOf',
      promise: 'a port in use leaves no lock on the log',
    },
    {
      file: `${folder}/input.ts`,
      find: 'return stat.isFile() ? `${stat.dev}:${stat.ino}` : undefined',
      replace: 'return undefined',
      promise: 'a file is not read and written at once, by whatever names',
    },
    {
      file: `${folder}/output.ts`,
      find: "if (systemCode(cause) === 'EPIPE') return cause\n",
      replace: '',
      promise: 'a closed pipe is no failure of the output',
    },
    {
      file: `${folder}/output.ts`,
      find: '(error ? reject(failureOf(error, name)) : resolve())',
      replace: 'resolve()',
      promise: 'a full disk is reported',
    },
  ],
}
