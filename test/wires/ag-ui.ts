import type { WireFacts } from '@millrace/testkit/format-laws'
import { agUiContent } from '../read-ag-ui.ts'

export const facts: WireFacts = {
  opens: ({ type }) => type === 'RUN_STARTED',
  ends: ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
  client: agUiContent,
}
