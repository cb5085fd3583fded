import type { Dialect } from './dialect.ts'

/** The prompt on stdin, any stream on stdout: programs that hear nothing while they run. */
export const text: Dialect = {
  format: undefined,
  can: {},
  stopDelay: 0,
  argv: () => [],
  converse({ prompt }, _host, pipe) {
    pipe.writeText(prompt)
    pipe.closeInput()
    return pipe.chunks
  },
}
