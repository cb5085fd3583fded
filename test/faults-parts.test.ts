import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Size } from '../proofs/faults/fault.ts'
import { tryInParts } from '../proofs/faults/in-parts.ts'
import { modes } from '../proofs/faults/modes.ts'
import { openPartFile } from '../proofs/faults/part-files.ts'
import { inRounds, numberOf, samplesOf } from '../proofs/faults/rounds.ts'

/** A fault whose round breaks its promise if its seed is 7; what it counts says which rounds were played. */
function countingFault() {
  const played: { seed: number; count: number }[] = []
  const fault = inRounds(
    {
      name: 'counting',
      promise: 'it counts',
      sizes: { full: { count: 9, megabytes: 0 }, small: { count: 1, megabytes: 0 } },
    },
    {
      perStore: 4,
      async play({ count }: Size, seed) {
        played.push({ seed, count })
        const seeds = Array.from({ length: count }, (_, nth) => seed + nth)
        return { broken: seeds.includes(7) ? ['seed 7'] : [], tally: { sum: count, seeds } }
      },
      summary: (count, { sum, seeds }) => ({
        tried: `${count} rounds`,
        figures: [`${numberOf(sum)} counted`, samplesOf(seeds).join(' ')],
      }),
    },
  )
  return { fault, rounds: fault.rounds ?? expect.fail(), played }
}

function openFile(fault: ReturnType<typeof countingFault>['fault']) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-parts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return openPartFile(folder, modes.folder, fault)
}

const notNoted = { onPart: () => undefined }

it('rounds are played in parts, each on a store of its own, and the finding is their sum', async () => {
  const { fault, rounds, played } = countingFault()
  const size = { count: 9, megabytes: 0 }
  const finding = await tryInParts({ fault, rounds, size, seed: 1, lanes: 1, file: undefined, ...notNoted })
  expect(played).toEqual([
    { seed: 1, count: 4 },
    { seed: 5, count: 4 },
    { seed: 9, count: 1 },
  ])
  expect(finding).toMatchObject({ seed: '1–9', tried: '9 rounds', broken: ['seed 7'] })
  expect(finding.figures).toEqual(['9 counted', '1 2 3 4 5 6 7 8 9'])
})

it('what was played before is kept and not played again, also after an interruption in the middle', async () => {
  const { fault, rounds, played } = countingFault()
  const file = openFile(fault)
  file.add({ seed: 3, count: 2, seconds: 10, broken: ['seed 3'], tally: { sum: 2, seeds: [3, 4] } })
  const size = { count: 6, megabytes: 0 }
  const tryAll = () => tryInParts({ fault, rounds, size, seed: 1, lanes: 2, file, ...notNoted })
  const finding = await tryAll()
  expect(played).toEqual([
    { seed: 1, count: 2 },
    { seed: 5, count: 2 },
  ])
  expect(finding).toMatchObject({ seed: '1–6', tried: '6 rounds', broken: ['seed 3'], seconds: 10 })
  expect(finding.figures).toEqual(['6 counted', '1 2 3 4 5 6'])
  expect(await tryAll()).toEqual(finding)
  expect(played).toHaveLength(2)
})

it('seeds that do not follow each other are named as ranges', async () => {
  const { fault, rounds } = countingFault()
  const file = openFile(fault)
  for (const seed of [20, 10, 11])
    file.add({ seed, count: 1, seconds: 0, broken: [], tally: { sum: 1, seeds: [seed] } })
  const size = { count: 1, megabytes: 0 }
  const finding = await tryInParts({ fault, rounds, size, seed: 30, lanes: 1, file, ...notNoted })
  expect([finding.seed, finding.tried]).toEqual(['10–11, 20, 30', '4 rounds'])
})

it('a part that another process plays meanwhile is in the finding', async () => {
  const { fault, rounds } = countingFault()
  const file = openFile(fault)
  const play: typeof rounds.play = (size, seed) => {
    file.add({ seed: 20, count: 1, seconds: 0, broken: ['seed 20'], tally: { sum: 1, seeds: [20] } })
    return rounds.play(size, seed)
  }
  const size = { count: 1, megabytes: 0 }
  const finding = await tryInParts({ fault, rounds: { ...rounds, play }, size, seed: 1, lanes: 1, file, ...notNoted })
  expect(finding).toMatchObject({ seed: '1, 20', tried: '2 rounds', broken: ['seed 20'] })
})
