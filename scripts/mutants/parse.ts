import type { Stage } from './mutant.ts'

const anthropic = 'packages/core/src/parse/anthropic-messages'
const lines = 'packages/core/src/parse/agent-lines'

/** The conformance suite must find these by itself: the members' own tests are not run. */
export const parse: Stage = {
  name: 'parse',
  tests: ['test/conformance.test.ts', 'test/laws-shape.test.ts'],
  only: 'parse: |shape',
  mutants: [
    {
      file: `${anthropic}/deltas.ts`,
      find: "[{ type: 'block-patch', blockId: block.id, signature }]",
      replace: "[{ type: 'block-patch', blockId: block.id, encrypted: signature }]",
      promise: 'a signature is a signature',
    },
    {
      file: `${anthropic}/deltas.ts`,
      find: "return thinking === '' ? NOTHING : [{ type: 'block-delta', blockId: block.id, text: thinking }]",
      replace: 'return NOTHING',
      promise: 'no sentence of a record is lost',
    },
    {
      file: `${anthropic}/usage.ts`,
      find: '{ ...before, ...present(later) }',
      replace: '{ ...present(later) }',
      promise: 'a count that is left out stands',
    },
    {
      file: `${anthropic}.ts`,
      find: 'prefix: timesSeen === 0 ? messageId :',
      replace: "prefix: timesSeen === 0 ? 'message' :",
      promise: 'the ids of blocks tell messages apart',
    },
    {
      file: `${anthropic}.ts`,
      find: "reason === 'tool_use' && unanswered.size > 0 ? 'awaiting-input' : 'success'",
      replace: "reason === 'tool_use' ? 'success' : 'success'",
      promise: 'a response whose caller runs the tools awaits input',
    },
    {
      file: `${anthropic}.ts`,
      find: "if (message.isOpen || ending !== 'stopped') return []",
      replace: "if (ending === 'failed') return []",
      promise: 'a message that was cut off is no success',
    },
    {
      file: `${anthropic}.ts`,
      find: '    ping: () => [],\n',
      replace: '',
      promise: 'every raw type has a row',
      by: 'types',
    },
    {
      file: `${lines}.ts`,
      find: 'function createParser(): Parser {\n  const seen = createSeen()',
      replace: 'const seen = createSeen()\nfunction createParser(): Parser {',
      promise: 'a second instance changes nothing',
    },
    {
      file: `${lines}/result-lines.ts`,
      find: 'idOf(data) ?? seen.oldestCall(...spellings(name))?.callId',
      replace: 'seen.oldestCall(...spellings(name))?.callId',
      promise: 'a result finds its call by id',
    },
    {
      file: `${lines}/implicit-blocks.ts`,
      find: 'if (event.kind === open) continue',
      replace: '',
      promise: 'text that goes on stays in its block',
    },
    {
      file: `${lines}/tool-lines.ts`,
      find: "typeof input === 'string' ? inputOf(input) : { input }",
      replace: '{ input }',
      promise: 'arguments that are JSON in a string are read',
    },
    {
      file: `${lines}.ts`,
      find: 'sentAt === undefined ? joined.events : joined.events.map((event) => ({ sentAt, ...event }))',
      replace:
        'sentAt === undefined ? joined.events : joined.events.map((event) => ({ sentAt: Date.now(), ...event }))',
      promise: 'no clock, no randomness',
    },
    {
      file: 'packages/core/src/read.ts',
      find: 'if (areWellShaped(events)) return events',
      replace: 'return events',
      promise: 'an event of the wrong shape becomes raw',
    },
    {
      file: 'packages/core/src/read.ts',
      find: '} catch {\n    // A value',
      replace: '} catch (error) {\n    throw error\n    // A value',
      promise: 'nothing that a parser throws leaves the reader',
    },
    {
      file: 'packages/core/src/read.ts',
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
      find: "  control: { action: one('stop', 'steer', 'resume'), by: optional(string) },\n",
      replace: '',
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
