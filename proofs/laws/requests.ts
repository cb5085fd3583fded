import { type LossKind, lossReasons } from '@millrace/core/messages'
import type { Run } from '@millrace/testkit/fold-laws'
import { historiesOf, judgedRequests } from '@millrace/testkit/request-laws'
import { generatedRuns } from '@millrace/testkit/runs'
import { type Finding, measure } from './measure.ts'
import { recordedRuns } from './recorded-runs.ts'
import type { Section } from './report.ts'
import { createRequestTypes, type RequestTypes } from './request-types.ts'

/** Up to so many entries a run is cut behind every one of them; beyond, at `CUTS`, evenly. */
const EVERYWHERE = 400
const CUTS = 128
const GENERATED = 300

/** Converts every history, whole and cut, for every provider: rules and types judge what would be sent. */
export async function tryRequests(seed: number): Promise<Section> {
  const { fixtures, corpus } = recordedRuns()
  const kinds = { fixtures, 'recordings of the corpus': corpus, 'generated runs': generatedRuns(GENERATED, seed) }
  const types = createRequestTypes()
  const lost = createLossCount(types.targets)
  const findings: Finding[] = []
  const made: { [target: string]: number } = {}
  let histories = 0
  for (const [over, runs] of Object.entries(kinds).filter(([, { length }]) => length > 0)) {
    const check = (run: Run) => verdictsOf(run, types, lost, (target) => (made[target] = (made[target] ?? 0) + 1))
    findings.push(await measure(over, 'no request breaks a rule of its provider, wherever the run is cut', runs, check))
    for (const run of runs) histories += [...historiesOf(run, cutsOf(run))].length
  }
  findings.push(...types.targets.map((target) => typed(target, types)))
  const figures = [
    `seed ${seed}`,
    `${fixtures.length} fixtures, ${corpus.length} recordings of the corpus, ${GENERATED} generated runs: ${count(histories)} histories`,
    `a run of at most ${EVERYWHERE} entries is cut behind each of them, a longer one behind ${CUTS}, and at its end`,
    'each history is asked for in four ways: as it is; for DeepSeek, by the model that began it; for Mistral, with think tags kept; for Groq, with the last turn alone',
    `requests: ${types.targets.map((target) => `${count(made[target] ?? 0)} ${target}`).join(', ')}`,
    'types: each distinct message is compiled against the types of the provider’s own library; what goes back as it came (inputs, citations, results of the provider’s tools) is not judged by them',
  ]
  const about = [
    'A history becomes the messages of the next request to a provider (`docs/messages.md`). `npm run laws -- requests` tries these',
    'promises alone.',
  ]
  return { title: 'The next request', about, findings, figures, more: lost.table(fixtures.length + corpus.length) }
}

const cutsOf = ({ entries }: Run) => (entries.length <= EVERYWHERE ? EVERYWHERE : CUTS)
const count = (number: number) => number.toLocaleString('en-US')

async function* verdictsOf(run: Run, types: RequestTypes, lost: LossCount, onMade: (target: string) => void) {
  let last: Awaited<ReturnType<typeof judgedRequests>> = []
  for (const chatEvents of historiesOf(run, cutsOf(run))) {
    last = await judgedRequests(chatEvents)
    for (const judged of last) {
      onMade(judged.request.target)
      types.add(run.name, judged)
      yield judged.refusals.length === 0 ? undefined : `${judged.request.target} ${judged.refusals[0]}`
    }
  }
  // The whole history, as it is asked for first.
  for (const { request } of last.slice(0, types.targets.length)) lost.add(request.target, run.name, request.losses)
}

function typed(target: RequestTypes['targets'][number], types: RequestTypes): Finding {
  const broken = types.refused(target)
  const checks = types.count(target)
  process.stderr.write(`${broken.length === 0 ? 'kept  ' : 'BROKEN'} ${target}: types\n${broken.join('\n')}`)
  return {
    over: target,
    promise: 'each distinct message fits the library of the provider',
    cases: checks,
    checks,
    broken,
  }
}

interface LossCount {
  add(target: string, run: string, losses: readonly { readonly what: LossKind }[]): void
  table(runs: number): readonly string[]
}

/** In how many whole histories of recordings each kind of loss occurs. */
function createLossCount(targets: readonly string[]): LossCount {
  const counts = new Map<string, number>()
  return {
    add(target, run, losses) {
      if (run.startsWith('generated ')) return
      for (const what of new Set(losses.map((loss) => loss.what)))
        counts.set(`${what} ${target}`, (counts.get(`${what} ${target}`) ?? 0) + 1)
    },
    table: (runs) => [
      '',
      `What the requests do not say, in how many of the ${count(runs)} whole recordings:`,
      '',
      `| loss | ${targets.join(' | ')} | why |`,
      `|---|${targets.map(() => '---:|').join('')}---|`,
      ...Object.entries(lossReasons).map(
        ([what, why]) =>
          `| ${what} | ${targets.map((target) => counts.get(`${what} ${target}`) ?? 0).join(' | ')} | ${why} |`,
      ),
    ],
  }
}
