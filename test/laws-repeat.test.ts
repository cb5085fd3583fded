import type { StreamEvent } from '@millrace/core/events'
import { createNormalizer } from '@millrace/core/normalize'
import { balance } from '@millrace/core/normalize/balance'
import { boundStates } from '@millrace/core/normalize/bound-states'
import type { CreatePass } from '@millrace/core/normalize/pass'
import { settle } from '@millrace/core/normalize/settle'
import { subagentTools } from '@millrace/core/normalize/subagent-tools'
import { thinkTags } from '@millrace/core/normalize/think-tags'
import { todoTools } from '@millrace/core/normalize/todo-tools'
import { problemsOf } from '@millrace/testkit/balance'
import { thorough, type Verdict, violationsOf } from '@millrace/testkit/law'
import { brokenVerdicts, foldRepeatLaws, repeatVerdicts } from '@millrace/testkit/repeat-laws'
import { inOneMessage, roundsOf, runOf, type Scenario, scenarios } from '@millrace/testkit/scenarios'
import { describe, expect, it } from 'vitest'

const passes = { boundStates, settle, thinkTags, todoTools, subagentTools, balance, 'all passes': createNormalizer }

/** What a pass emits for each event. */
function outputsOf(create: CreatePass, events: readonly StreamEvent[]): readonly (readonly StreamEvent[])[] {
  let out: StreamEvent[] = []
  const pass = create((event) => out.push(event))
  return events.map((event) => {
    out = []
    pass.push(event)
    return out
  })
}

describe('a scenario', () => {
  it.each(scenarios)('is well-formed in every layout: $name', (scenario) => {
    const rounds = roundsOf(scenario, 3)
    expect(problemsOf(runOf(rounds))).toEqual([])
    expect(problemsOf(runOf(inOneMessage(rounds) ?? rounds))).toEqual([])
  })
})

describe('fold: k rounds', () => {
  for (const law of foldRepeatLaws) {
    it(law.promise, () => expect(violationsOf(law, scenarios, thorough, () => 1)).toEqual([]))
  }
})

function problems(verdicts: (scenario: Scenario) => Iterable<Verdict>): string[] {
  return scenarios.flatMap((scenario) =>
    [...verdicts(scenario)].flatMap((verdict) => (verdict === undefined ? [] : [`${scenario.name}: ${verdict}`])),
  )
}

describe('normalize: k rounds', () => {
  for (const [name, pass] of Object.entries(passes)) {
    it(`${name} treats each round as the first`, () => {
      expect(problems((scenario) => repeatVerdicts(scenario, (events) => outputsOf(pass, events)))).toEqual([])
    })

    it(`${name} treats a round after a broken one as after a whole one`, () => {
      expect(problems((scenario) => brokenVerdicts(scenario, (events) => outputsOf(pass, events)))).toEqual([])
    })
  }

  it('all passes treat a round as the first that uses its ids again, but for the ids', () => {
    // A subagent that returns is the same subagent.
    const withoutAgents = scenarios.filter(({ round }) => !round(1).some(({ type }) => type === 'subagent-start'))
    // A question that is not about a call is the same question if it is asked again.
    const isAlone = (event: StreamEvent) => event.type === 'approval' && event.callId === undefined
    const others = withoutAgents.filter(
      ({ name, round }) => name !== 'a call that starts a subagent' && !round(1).some(isAlone),
    )
    for (const { name, round } of others) {
      const events = round(1)
      const outputs = outputsOf(createNormalizer, [{ type: 'run-start' }, ...events, ...events, ...events]).slice(1)
      const rounds = [0, 1, 2].map((k) => outputs.slice(k * events.length, (k + 1) * events.length).map(withoutNumbers))
      expect([rounds[1], rounds[2]], name).toEqual([rounds[0], rounds[0]])
    }
  })
})

/** An id that is used again gets a number. */
const withoutNumbers = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/~\d+/g, ''))
