import type { Stage } from './mutant.ts'

const detect = 'packages/server/src/run/detect-body.ts'

/** A body that does not name its format. */
export const ingestAuto: Stage = {
  name: 'a format that is found',
  tests: ['packages/server/test/run-ingest-auto', 'packages/server/test/routes-ingest'],
  mutants: [
    { file: detect, find: '    yield* chunks\n', replace: '', promise: 'the body begins with what was read' },
    {
      file: detect,
      find: 'body: resumed(chunks, done === true ? next : stepOf(iterator), iterator)',
      replace: 'body: resumed(chunks, next, iterator)',
      promise: 'no chunk comes twice',
    },
    {
      file: detect,
      find: 'records.length > 0 && (await isSilent(next, sleep))',
      replace: 'false',
      promise: 'a silence shows the beginning',
    },
    {
      file: detect,
      find: 'inSilence?.format !== undefined',
      replace: 'inSilence !== undefined',
      promise: 'doubt waits for more',
    },
    {
      file: detect,
      find: 'if (size > LARGEST_BEGINNING)',
      replace: 'if (size < 0)',
      promise: 'the beginning is bounded',
    },
    {
      file: detect,
      find: '    void iterator.return?.().catch(() => undefined)\n',
      replace: '',
      promise: 'a body that is refused is closed',
    },
    {
      file: 'packages/server/src/run/ingest.ts',
      find: 'if (run !== undefined) return ingestAs(context, { ...options, format: run.format }, body)',
      replace: '',
      promise: 'a run keeps its format',
    },
  ],
}
