import type { Effort, Law, Verdict } from '@millrace/testkit/law'

/** One line of the report: a promise, what it was tried on, and the result. */
export interface Finding {
  readonly promise: string
  readonly over: string
  readonly cases: number
  readonly checks: number
  readonly broken: readonly string[]
}

const SHOWN = 3

/** Tries a law on all cases and reports the result on stderr. */
export async function measure<Case extends { readonly name: string }>(
  over: string,
  promise: string,
  cases: readonly Case[],
  check: (of: Case) => Iterable<Verdict> | AsyncIterable<Verdict>,
): Promise<Finding> {
  let checks = 0
  const broken: string[] = []
  const started = performance.now()
  for (const of of cases) {
    for await (const verdict of check(of)) {
      checks++
      if (verdict !== undefined && broken.length < SHOWN) broken.push(`${of.name}: ${verdict}`)
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stderr.write(`${broken.length === 0 ? 'kept  ' : 'BROKEN'} ${seconds.padStart(6)} s  ${over}: ${promise}\n`)
  for (const problem of broken) process.stderr.write(`        ${problem}\n`)
  return { promise, over, cases: cases.length, checks, broken }
}

export async function measureAll<Case extends { readonly name: string }>(
  over: string,
  laws: readonly Law<Case>[],
  cases: readonly Case[],
  effort: Effort,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const law of laws) findings.push(await measure(over, law.promise, cases, (of) => law.check(of, effort)))
  return findings
}
