import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Mutant, Stage } from './mutant.ts'

/** The conformance suite must find these alone: the members' own tests are not run. */
export const parse: Stage = {
  name: 'parse',
  tests: ['test/conformance.test.ts', 'test/laws-shape.test.ts'],
  only: 'parse: |shape',
  mutants: [
    {
      file: 'packages/core/src/read/read.ts',
      find: 'events.length > 0 && areWellShaped(events)',
      replace: 'events.length > 0',
      promise: 'an event of the wrong shape becomes raw',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: 'events === SILENT || (events.length > 0 && areWellShaped(events))',
      replace: 'areWellShaped(events)',
      promise: 'a record that its parser skips is kept',
    },
    {
      file: 'packages/core/src/parse/parser.ts',
      find: 'parts.every((part) => part === SILENT)',
      replace: 'parts.every((part) => part.length === 0)',
      promise: 'a part that is not understood does not count as silent',
    },
    {
      file: 'packages/core/src/parse/detect.ts',
      find: 'total += recognition.certainty',
      replace: 'total += Math.abs(recognition.certainty)',
      promise: 'a record with a negative certainty counts against a format',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: '} catch {\n    // A value',
      replace: '} catch (error) {\n    throw error\n    // A value',
      promise: 'nothing that a parser throws leaves the reader',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: 'ended = true',
      replace: 'ended = false',
      promise: 'a second end is empty',
    },
    {
      file: 'packages/core/src/event-shape.ts',
      find: "'block-delta': { blockId: string, text: string },",
      replace: "'block-delta': { blockId: string },",
      promise: 'an event of the wrong shape becomes raw',
    },
    {
      file: 'packages/core/src/event-shape.ts',
      find: "  control: {\n    action: one('stop', 'steer', 'resume'),\n",
      replace: "  uncontrolled: {\n    action: one('stop', 'steer', 'resume'),\n",
      promise: 'every event type has a shape',
      by: 'types',
    },
    {
      file: 'packages/core/src/parse/detect.ts',
      find: '.sort((a, b) => b.certainty - a.certainty)',
      replace: '.sort((a, b) => a.certainty - b.certainty)',
      promise: 'a recording is recognised',
    },
  ],
}

/** The planted bugs of each format are in the file of its registry name. Its own recordings must find them. */
export async function formatStages(): Promise<readonly Stage[]> {
  const folder = join(import.meta.dirname, 'parse')
  return Promise.all(
    readdirSync(folder).map(async (file): Promise<Stage> => {
      const name = basename(file, '.ts')
      const { mutants } = (await import(join(folder, file))) as { mutants: readonly Mutant[] }
      return { name: `parse ${name}`, tests: ['test/conformance.test.ts'], only: `parse: ${name} `, mutants }
    }),
  )
}
