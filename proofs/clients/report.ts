import { readFileSync } from 'node:fs'
import { parsers } from '@millrace/core/parse'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { AG_UI_VERSIONS } from './ag-ui.ts'
import { AI_SDK_VERSIONS } from './ai-sdk.ts'
import type { Tried } from './try.ts'
import { WRITTEN } from './written.ts'

/** The report that is committed: counts and versions, nothing that another machine or day would change. */
export function reportOf(tried: readonly Tried[]): string {
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
    'Written by `npm run clients`: a server plays every recording, and the published clients of two protocols read it over',
    'HTTP. The three protocols without a published client are read by clients that were written from their documents',
    'alone, over the transports that the documents name. `npm test` does the same with one recording per format.',
    '',
    `- \`ai\` ${versionsOf('ai', 'ai-6', 'ai-5')}`,
    `- \`@ag-ui/client\` ${versionsOf('@ag-ui/client', 'ag-ui-0.0.59', 'ag-ui-0.0.58', 'ag-ui-0.0.57')}`,
    ...notesOn(tried).map((note) => `- ${note}`),
    '',
    'A column counts the recordings that were read, that were refused, and that ended with other content than the folded',
    "recording, less what the wire declares as lost. The error of a failed run must be the run's own message; any other",
    'error counts as refused. An older version has one column, which counts each of its readings: the AI SDK is tried in',
    'three ways, AG-UI in two. Version 5 of the AI SDK gets the profile `5`, AG-UI before 1.0 the profile `0`.',
    'Extra requests are those that a chat sends by itself although the server ran every tool.',
    '',
    isKept ? 'No recording is refused, and none differs.' : 'BROKEN: see the counts.',
    '',
    `| format | ${CLIENTS.map((client) => `${client}: read, refused, differing`).join(' | ')} | extra requests |`,
    `|---|${CLIENTS.map(() => '---:|').join('')}---:|`,
    ...rows,
    rowOf('all', tried),
    '',
  ].join('\n')
}

const versionsOf = (...names: readonly string[]) => names.map(versionOf).join(', ')

function versionOf(name: string): string {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}

function notesOn(tried: readonly Tried[]): readonly string[] {
  const formats = Object.keys(parsers)
  const corpora = formats.map((format) => corpusOf(format))
  const corpus = corpora.flatMap((found) => ('absent' in found ? [] : found.recordings))
  const fixtures = formats.flatMap((format) => fixturesOf(format))
  const some = (holds: (one: Tried) => boolean) => count(tried.filter(holds).length)
  return [
    `${count(fixtures.length)} fixtures and ${count(corpus.length)} recordings of the corpus`,
    `${some(({ recorded }) => recorded.isLeftToClient)} recordings leave calls to the client: their chats do not send by themselves once those calls have outputs`,
    `${some(({ recorded }) => recorded.asks)} recordings ask, and are answered as they were when they were recorded; ${some(({ recorded }) => recorded.goesOnBeside)} of them go on after a question about no call, which a chat cannot answer: it reads the rest when it comes back`,
    `${some(({ trials }) => trials.some(({ byHand = 0 }) => byHand > 0))} of them ask about one call while others of its step have not begun: the SDK's own condition does not send such an answer, so the trial sends it (\`sendMessage()\`)`,
  ]
}

/** The columns of the report. An older version has one, for all that is tried with it. */
const CLIENTS = [...new Set([...[...AI_SDK_VERSIONS, ...AG_UI_VERSIONS].flatMap(({ columns }) => columns), ...WRITTEN])]

function rowOf(name: string, tried: readonly Tried[]): string {
  const trials = tried.flatMap((one) => one.trials)
  const cells = CLIENTS.map((client) => {
    const ofClient = trials.filter((trial) => trial.client === client)
    const refused = ofClient.filter(({ refusals }) => refusals.length > 0).length
    const differing = ofClient.filter(({ differences }) => differences.length > 0).length
    return [ofClient.length, refused, differing].map(count).join(', ')
  })
  return `| ${[name, ...cells, count(extraRequestsOf(tried))].join(' | ')} |`
}

const extraRequestsOf = (tried: readonly Tried[]) =>
  tried.flatMap(({ trials }) => trials).reduce((sum, { extraRequests = 0 }) => sum + extraRequests, 0)

/** Whether every client kept its promises, and each problem in one line. */
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

const count = (number: number) => number.toLocaleString('en-US')
