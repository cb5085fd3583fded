import type { Stage } from './mutant.ts'

/** How the clients in pages are judged. */
export const clientsPages: Stage = {
  name: 'clients-pages',
  tests: ['test/clients-pages.test.ts'],
  mutants: [
    {
      file: 'proofs/clients/pages/expected.ts',
      find: 'failed: { output: error ?? output }',
      replace: 'failed: {}',
      promise: 'a client has to hold why a call has failed',
    },
    {
      file: 'proofs/clients/pages/expected.ts',
      find: "  if (segment.type === 'reasoning') return [{ type: 'reasoning', text: segment.text }]\n",
      replace: '',
      promise: 'a client has to hold thoughts',
    },
    {
      file: 'proofs/clients/pages/report.ts',
      find: 'played.every(',
      replace: 'played.some(',
      promise: 'one problem of one client breaks the report',
    },
  ],
}
