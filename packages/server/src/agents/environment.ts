import { randomUUID } from 'node:crypto'
import { searchPath } from './find-program.ts'

/** What every program gets. A name that ends in `*` stands for all that begin so. */
const ALLOWED = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_*', 'TZ', 'TMPDIR', 'XDG_*'],
  ...['SSL_CERT_*', 'NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
]

/** Never passed on, whatever a file lists: the server's own settings, functions of a shell, the sign of a nested agent. */
const REFUSED = /^(?:MILLRACE_|BASH_FUNC_|CLAUDECODE$)/

export interface Environment {
  readonly variables: { readonly [name: string]: string }
  /** For the log. Values are never logged. */
  readonly names: readonly string[]
  /** The variable, with its value, that every descendant of the process inherits, and nobody else has. */
  readonly mark: string
  /** Values that must not be shown. */
  readonly secrets: readonly string[]
}

export interface EnvironmentOptions {
  readonly from: NodeJS.ProcessEnv
  readonly env: readonly string[]
  readonly set: { readonly [name: string]: string }
  readonly runId: string
  readonly threadId: string
  readonly work: string
}

/** A shorter value is a word that stands everywhere: to hide it would hide what the program says. */
const SHORTEST_SECRET = 8

export function environmentFor({ from, env, set, runId, threadId, work }: EnvironmentOptions): Environment {
  const pick = (patterns: readonly string[]) =>
    Object.entries(from).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !REFUSED.test(entry[0]) && patterns.some((pattern) => fits(entry[0], pattern)),
    )
  // Not the run's id: a client may have chosen it, on another server too.
  const mark = randomUUID()
  const asked = pick(env)
  const given = Object.entries(set).filter(([name]) => !REFUSED.test(name))
  const variables = Object.fromEntries([
    ...pick(ALLOWED),
    ['PATH', searchPath()],
    ['NO_COLOR', '1'],
    ...asked,
    ...given,
    ['MILLRACE_RUN', runId],
    ['MILLRACE_THREAD', threadId],
    ['MILLRACE_WORK', work],
    ['MILLRACE_MARK', mark],
  ])
  const secrets = [...asked, ...given].map(([, value]) => value).filter((value) => value.length >= SHORTEST_SECRET)
  // The longest first: one value may contain another.
  return {
    variables,
    names: Object.keys(variables).sort(),
    mark: `MILLRACE_MARK=${mark}`,
    secrets: secrets.sort((a, b) => b.length - a.length),
  }
}

const fits = (name: string, pattern: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
