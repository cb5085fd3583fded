import type { Stage } from './mutant.ts'

const largeFiles = 'packages/core/src/read/large-files.ts'
const keptFiles = 'packages/server/src/run/large-files.ts'

/** Files of any size, from the record to the page, and what a run remembers of its reader. */
export const files: Stage = {
  name: 'files and versions',
  tests: [
    'packages/core/src/read',
    'packages/server/test/large-files.test.ts',
    'packages/server/test/files-kept.test.ts',
    'packages/millrace/test/convert-report.test.ts',
    'packages/server/test/verify.test.ts',
    'packages/react/test/pictures.test.ts',
    'test/stores.test.ts',
  ],
  mutants: [
    {
      file: largeFiles,
      find: 'event.bytes.length > MAX_BYTES',
      replace: 'event.bytes.length >= MAX_BYTES',
      promise: 'a file of exactly the limit stays in its event',
    },
    {
      file: largeFiles,
      find: 'replacements.set(bytes, address',
      replace: "replacements.set('', address",
      promise: 'what repeats the bytes names the address',
    },
    {
      file: largeFiles,
      find: "(text.startsWith('data:') && text.endsWith(bytes))",
      replace: 'false',
      promise: 'a data URL that repeats the bytes is replaced too',
    },
    {
      file: largeFiles,
      find: 'const url = address ?? ownUrl',
      replace: 'const url = ownUrl ?? address',
      promise: 'the address of the store comes before the agent’s own',
    },
    {
      file: 'packages/core/src/data/base64.ts',
      find: '(base64.length - padding)',
      replace: 'base64.length',
      promise: 'the padding of base64 is not counted',
    },
    {
      file: keptFiles,
      find: 'JSON.stringify([threadId, mediaType',
      replace: "JSON.stringify(['', mediaType",
      promise: 'a file belongs to one thread',
    },
    {
      file: keptFiles,
      find: '      files = []\n',
      replace: '',
      promise: 'a file is handed over once',
    },
    {
      file: 'packages/server/src/run/owner.ts',
      find: '        for (const file of batch.files) await keepFile(file)\n',
      replace: '        for (const file of batch.files) void keepFile(file).catch(() => {})\n',
      promise: 'a file is durable before the event that names it',
    },
    {
      file: 'packages/server/src/log/append-rules.ts',
      find: "storedFileId(event.type === 'file' ? event.url : undefined) ?? []",
      replace: "(event.type === 'file' ? event.fileId : []) ?? []",
      promise: 'a stored file is deleted with its thread, whatever the stream calls it',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'if ((await find(id)) === undefined) await storeAs',
      replace: 'if ((await find(id)) !== undefined) await storeAs',
      promise: 'a file that is not stored is stored',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'of [partial, partialInfo])',
      replace: 'of [partial, partialInfo, infoPath(id), contentPath(id)])',
      promise: 'a file that could not be stored takes nothing from another run',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'for (const path of [partial, partialInfo]) await rm(path, { force: true })',
      replace: '',
      promise: 'a file that could not be stored leaves nothing behind',
    },
    {
      file: 'packages/server/src/verify/checks.ts',
      find: ' && run.readerVersion === READER_VERSION',
      replace: '',
      promise: 'a run that another version of the reader has read is not compared',
    },
    {
      file: 'packages/core/src/data/same-json.ts',
      find: 'text === otherText || isSame(',
      replace: 'text === otherText || false && isSame(',
      promise: 'a run whose version wrote its fields in another order is resumed',
    },
    {
      file: 'packages/react/src/segments/picture.tsx',
      find: 'RASTER.test(type) ?',
      replace: "type.startsWith('image/') ?",
      promise: 'an image that may hold scripts is not shown',
    },
    {
      file: 'packages/react/src/segments/picture.tsx',
      find: "mediaType.startsWith('image/') && storedFileId(url) !== undefined ? url",
      replace: "mediaType.startsWith('image/') ? url",
      promise: 'an image elsewhere is not loaded',
    },
    {
      file: 'packages/react/src/modal.tsx',
      find: '    dialog.current?.close()\n    onClose()\n',
      replace: '    dialog.current?.close()\n',
      promise: 'a click that follows the end of a dialog at once opens the next one',
    },
    {
      file: 'packages/react/src/modal.tsx',
      find: '      onCancel={onCancel}\n',
      replace: '',
      promise: 'a click that follows Escape at once opens the next dialog',
    },
    {
      file: 'packages/react/src/modal.tsx',
      find: 'if (event.target === dialog.current && pressed.current === dialog.current) close()',
      replace: 'close()',
      promise: 'a click on the enlarged image does not close it',
    },
    {
      file: 'packages/react/src/segments/picture.tsx',
      find: 'if (isBroken) return fallback',
      replace: '',
      promise: 'an image that cannot be shown is a name',
    },
    {
      file: 'packages/millrace/src/summary.ts',
      find: "filesLeftOut === 1 ? ['is', 'it']",
      replace: "filesLeftOut === 2 ? ['is', 'it']",
      promise: 'the command says what it left out, for one file and for several',
    },
  ],
}
