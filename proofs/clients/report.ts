import { AGENT, REPLAYED } from './ag-ui.ts'
import { CHAT, READER, RESUMED } from './ai-sdk.ts'
import type { Tried } from './try.ts'
import { WRITTEN } from './written.ts'

/** The report that is committed: counts, nothing that another machine or day would change. */
export function reportOf(tried: readonly Tried[], versions: readonly string[], notes: readonly string[]): string {
  const formats = [...new Set(tried.map(({ recorded }) => recorded.format))]
  const rows = formats.map((format) =>
    rowOf(
      format,
      tried.filter(({ recorded }) => recorded.format === format),
    ),
  )
  const { isKept } = verdictOf(tried)
  return [
    '# The wires, judged by their own clients',
    '',
    'Written by `npm run clients`: a server plays every recording, and the published clients of the two protocols talk to',
    'it over HTTP. The three protocols that have none are read by clients which were written from their documents alone,',
    'over the transports that those name. `npm test` does the same with one recording per framework.',
    '',
    ...versions.map((version) => `- ${version}`),
    ...notes.map((note) => `- ${note}`),
    '',
    'A column counts recordings that were read, were refused, and ended with other content than the folded recording has,',
    "less what the wire declares as lost. The error of a run that fails must be the run's own word; anything else counts",
    'as refused. Extra requests are those that a chat sends by itself though every tool was run by the server.',
    '',
    isKept ? 'Nothing is refused, and nothing differs.' : 'BROKEN: see the counts.',
    '',
    `| framework | ${CLIENTS.map((client) => `${client}: read, refused, differing`).join(' | ')} | extra requests |`,
    `|---|${CLIENTS.map(() => '---:|').join('')}---:|`,
    ...rows,
    rowOf('all', tried),
    '',
  ].join('\n')
}

const CLIENTS = [CHAT, RESUMED, READER, AGENT, REPLAYED, ...WRITTEN]

function rowOf(name: string, tried: readonly Tried[]): string {
  const trials = tried.flatMap((one) => one.trials)
  const cells = CLIENTS.map((client) => {
    const own = trials.filter((trial) => trial.client === client)
    const refused = own.filter(({ refusals }) => refusals.length > 0).length
    const differing = own.filter(({ differences }) => differences.length > 0).length
    return [own.length, refused, differing].map(count).join(', ')
  })
  return `| ${[name, ...cells, count(extraRequestsOf(tried))].join(' | ')} |`
}

const extraRequestsOf = (tried: readonly Tried[]) =>
  tried.flatMap(({ trials }) => trials).reduce((sum, { extraRequests = 0 }) => sum + extraRequests, 0)

/** What is wrong, a line each. */
export function verdictOf(tried: readonly Tried[]): { readonly isKept: boolean; readonly problems: readonly string[] } {
  const problems = tried.flatMap(({ recorded, trials }) =>
    trials.flatMap(({ client, refusals, differences, extraRequests = 0 }) => [
      ...refusals.map((refusal) => `${recorded.name}, ${client}: refused: ${refusal}`),
      ...differences.map((difference) => `${recorded.name}, ${client}: ${difference}`),
      ...(extraRequests === 0 ? [] : [`${recorded.name}, ${client}: ${extraRequests} extra requests`]),
    ]),
  )
  return { isKept: problems.length === 0, problems }
}

export const count = (number: number) => number.toLocaleString('en-US')
