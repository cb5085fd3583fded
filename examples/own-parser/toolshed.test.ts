import { parserSuite } from '@millrace/testkit/parser-suite'
import { recordingsIn } from '@millrace/testkit/recordings'
import { toolshed } from './toolshed.ts'

// The same file is a test of `node --test` and of vitest.
parserSuite('toolshed', toolshed, recordingsIn(new URL('./recordings', import.meta.url)))
