import type { Append, Log } from '@millrace/server/log'
import fc from 'fast-check'
import { expect } from './expectation.ts'
import { type Act, contentsOf, outcomeOf, reads, type Subject, subjectOf, twoNodes, writes } from './log-acts.ts'
import { add, delta, end, inputsOf, type LogBench, newRun, readAll, record, refusalOf, start } from './log-bench.ts'
import { createReferenceLog } from './log-reference.ts'
import { it } from './runner.ts'

const SEQUENCES = 60
const LONGEST = 30

interface Step {
  readonly act: string
  /** Which of its sequence's subjects: two of them are in one thread, and all name the same file. */
  readonly of: number
}

const acts: { readonly [name: string]: Act } = { ...writes, ...reads }

/** Of one sequence. The ids of a subject come again and again. */
function subjectsOf(sequence: number, nodes: Subject['nodes']): readonly Subject[] {
  const [one, other] = [subjectOf(`${sequence}a`, nodes), subjectOf(`${sequence}b`, nodes)]
  return [one, { ...other, fileId: one.fileId }, { ...one, runId: `${one.runId} of the same thread` }]
}

/** What happens to a thread from its beginning to its removal. */
const life = [
  'createThread',
  'createRun',
  'append the opening',
  'append the opening',
  'tell',
  'tell',
  'acquire',
  'acquire',
  'settle as owner',
  'settle as owner',
  'follow',
  'tell without a key',
  'inputs',
  'deleteThread',
  'append the end as owner',
  'append the end as owner',
  'tell without a key',
  'acquire',
  'pack',
  'pack',
  'read',
  'renameThread',
  'deleteThread',
  'forgetFiles',
]
/** The same without an owner, and without forgetting the file. */
const unownedLife = life.filter((act) => !/acquire|settle|forget/.test(act)).map((act) => act.replace(' as owner', ''))
/** The same with an owner that leaves in the middle: another takes the run over, and the end of the first comes late. */
const takenLife = life.flatMap((act) =>
  act === 'inputs' ? ['release for a time', 'acquire', 'leave', 'acquire by another'] : [act],
)

const times = (count: number, steps: readonly Step[]): readonly Step[] =>
  Array.from({ length: count }, () => steps).flat()
const stepsOf = (names: readonly string[], of = 0): readonly Step[] => names.map((act) => ({ act, of }))

const laws: { readonly [law: string]: (count: number) => readonly Step[] } = {
  'a thread that is created, filled and deleted': (count) => times(count, stepsOf(unownedLife)),
  'a run with an owner and commands': (count) => times(count, stepsOf(life)),
  'a run that another node takes over': (count) => times(count, stepsOf(takenLife)),
  'a file that two threads name': (count) =>
    times(count, [...stepsOf(unownedLife.slice(0, -1)), ...stepsOf(unownedLife, 1), ...stepsOf(['deleteThread'])]),
  'every operation': (count) => Object.keys(acts).flatMap((act) => times(count, stepsOf([act]))),
}

const step = fc.record({ act: fc.constantFrom(...Object.keys(acts)), of: fc.nat(2) })

/** The promises of a log that hold for the second time as for the first. */
export function repeatPromises(bench: LogBench): void {
  async function expectAsReference(sequences: readonly (readonly Step[])[]): Promise<void> {
    let time = 0
    const log = await bench.open(() => time)
    const nodes = await Promise.all(sequences.map(() => twoNodes(log)))
    const references = nodes.map((own) => createReferenceLog(() => time, own))
    const subjects = nodes.map((own, index) => subjectsOf(index, own))
    const longest = Math.max(...sequences.map(({ length }) => length))
    for (let at = 0; at < longest; at++) {
      // The clock goes back now and then.
      time = at % 5 === 4 ? time - 3 : time + 10
      await Promise.all(
        sequences.map(async (steps, index) => {
          const { act = 'trouble', of = 0 } = steps[at] ?? {}
          const subject = subjects[index]?.[of] as Subject
          const [found, expected] = await Promise.all(
            [log, references[index] as Log].map((each) => outcomeOf((acts[act] as Act)(each, subject))),
          )
          expect(found, `${act} after ${JSON.stringify(steps.slice(0, at))}`).toEqual(expected)
        }),
      )
    }
    for (const [index, reference] of references.entries()) {
      const own = subjects[index] ?? []
      expect(await contentsOf(log, own)).toEqual(await contentsOf(reference, own))
    }
  }

  for (const [law, steps] of Object.entries(laws)) {
    it(`gives the same for the first, second and third time: ${law}`, () => expectAsReference([1, 2, 3].map(steps)))
  }

  it('does what a simple log does, with threads, titles, keys, files and messages, in any order', async () => {
    const sequence = fc.array(step, { minLength: 10, maxLength: LONGEST })
    await expectAsReference(fc.sample(sequence, { numRuns: SEQUENCES, seed: 271 }))
  })

  it('keeps nothing of an append that cannot be stored, however often it comes', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const bad = Object.values(unstorable)
    for (let count = 1; count <= 3; count++) {
      const before = [await log.run('r'), await readAll(log, 'r'), await inputsOf(log, 'r')]
      const position = { epoch: 0, afterSeq: count - 1 }
      const appends = bad.map((append) => refusalOf(log.append('r', position, append)))
      expect((await Promise.all(appends)).includes('not refused')).toBe(false)
      expect([await log.run('r'), await readAll(log, 'r'), await inputsOf(log, 'r')]).toEqual(before)
      expect(await log.messages('thread')).toEqual([])
      await add(log, 'r', delta(`${count}`))
    }
    expect(await readAll(log, 'r')).toHaveLength(3)
  })
}

const DEPTH = 200_000

/** Valid JSON that is too deep for any code that calls itself. */
const tooDeep = JSON.parse(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`) as never

const last = { inputs: [record('last')], events: [start, end] }

/** Each part of an append that a member has to copy. */
const unstorable: { readonly [part: string]: Append } = {
  event: { ...last, events: [start, { type: 'raw', reason: 'unmapped', value: tooDeep }] },
  input: {
    ...last,
    inputs: [record('one'), { by: 'server', event: { type: 'raw', reason: 'unmapped', value: tooDeep } }],
  },
  message: {
    ...last,
    message: { id: 'm', chatId: 'thread', role: 'assistant', content: '', metadata: { deep: tooDeep } },
  },
}
