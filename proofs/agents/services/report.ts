import type { Check } from '../play.ts'
import type { Service } from './registry.ts'

/** What one service has shown. */
export interface PlayedService {
  readonly service: Service
  readonly versions: readonly string[]
  readonly checks: readonly Check[]
}

const cellOf = (check: Check | undefined) => {
  if (check === undefined) return 'not in it'
  return check.problems.length === 0 ? 'kept' : '**broken**'
}

/** The page about services: which there are, and what was kept. */
export function servicesReport(played: readonly PlayedService[]): string {
  const names = [...new Set(played.flatMap(({ checks }) => checks.map(({ name }) => name)))]
  const broken = played.flatMap(({ service, checks }) =>
    checks.flatMap(({ name, problems }) => problems.map((problem) => `- ${service.name}, ${name}: ${problem}`)),
  )
  return [
    '# Services as agents, tried',
    '',
    'Written by `npm run agents -- services`: servers of npm on this machine, each behind a gate that can harm its answers, and',
    '`millrace serve` with a file in `agents/` that leads there ([what such a file has](agents.md#agents-behind-an-address)).',
    'Everything goes through the HTTP API of the server.',
    '',
    ...played.map(
      ({ service, versions }) => `- ${service.name} (\`endpoint: ${service.endpoint}\`): ${versions.join(', ')}`,
    ),
    '',
    `| | ${played.map(({ service }) => service.name).join(' | ')} |`,
    `|---|${played.map(() => '---|').join('')}`,
    ...names.map((name) => {
      const cells = played.map(({ checks }) => cellOf(checks.find((check) => check.name === name)))
      return `| ${name} | ${cells.join(' | ')} |`
    }),
    '',
    ...(broken.length === 0 ? ['Nothing is broken.'] : ['BROKEN:', '', ...broken]),
    '',
    'The way is cut once, behind 900 bytes of an answer; it drips a byte in 50 ms; it never ends, with comments that no reader takes for an',
    'answer; or it redirects to another origin of this machine. The limits of the agent are 6 s, 3 s without a line, and 300 kB.',
    '',
  ].join('\n')
}
