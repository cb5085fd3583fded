import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/normalize'

/** Approvals: one request, at most one answer, and none while the call goes on. */
export const approvals: Stage = {
  name: 'normalize: approvals',
  tests: [
    'test/laws-balance.test.ts',
    `${folder}/balance/approvals.test.ts`,
    `${folder}/balance/questions.test.ts`,
    'packages/core/src/read/read.test.ts',
  ],
  mutants: [
    {
      file: `${folder}/balance/approvals.ts`,
      find: '    answered.addNew(approvalId, { request, answer: answerOf(event) })\n',
      replace: '',
      promise: 'a repeated answer does not open its question again',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: '    if (open.has(id)) return\n',
      replace: '',
      promise: 'a question that is open is not asked again',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'if (before === undefined || !isSameJson(before.request, requestOf(event))) ask(event)',
      replace: 'ask(event)',
      promise: 'an equal request that comes again is dropped',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'if (before === undefined || !isSameJson(before.request, requestOf(event))) ask(event)',
      replace: 'if (before === undefined) ask(event)',
      promise: 'a different request after the answer is asked',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'const approvalId = ids.claim(event.approvalId)',
      replace: 'const { approvalId } = event',
      promise: 'an answered approval is not opened again',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'calls.emittedId(callId), message',
      replace: 'callId, message',
      promise: 'a question about a call that uses the id of an earlier call is another question',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'else if (!isSameJson(before.answer, answerOf(event))) keepAsRaw(event)',
      replace: 'else keepAsRaw(event)',
      promise: 'an equal answer that comes again is dropped',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: '    else if (!isSameJson(before.answer, answerOf(event))) keepAsRaw(event)\n',
      replace: '',
      promise: 'an answer that differs from the first is kept as raw',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: '  message,\n  answer,\n  remember,\n  input,\n})',
      replace: '  message,\n  answer,\n})',
      promise: 'an answer that approves another input is a different answer',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: 'calls.emittedId(callId), message, request }',
      replace: 'calls.emittedId(callId), message }',
      promise: 'a request that asks for something else is a different request',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: "new Set(['approved', 'denied', 'answered'])",
      replace: "new Set(['approved', 'denied', 'answered', 'expired'])",
      promise: 'a stream whose answers are not read may still withdraw its question',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: "new Set(['approved', 'denied', 'answered'])",
      replace: "new Set(['approved', 'denied'])",
      promise: 'a record of a server’s agent does not answer a question with a value either',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: "expire(approvalId, { reason: 'went-on' })",
      replace: 'expire(approvalId, {})',
      promise: 'a question that its call did not wait for says so',
    },
    {
      file: `${folder}/balance/approvals.ts`,
      find: "  return { ...event, state: 'requested' }",
      replace:
        "  return { ...event, reason: _reason, remember: _remember, input: _input, state: 'requested' } as Approval",
      promise: 'the request that precedes a lone answer approves nothing',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: '        // It says nothing about an open question',
      replace: '        approvals.expireOf(call.id)\n        // It says nothing about an open question',
      promise: 'a question stays open while its call only reports',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: 'echoes.without(attributed).filter((event) => !isGiven(event, given))',
      replace: 'attributed',
      promise: 'a record that goes on as the host has answered claims nothing',
    },
    {
      file: 'packages/core/src/read/read.ts',
      find: "(event.state === state || event.state === 'expired' || isBare)",
      replace: 'isAnswer(event)',
      promise: 'a record that contradicts the answer of the host is kept as raw',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: "if (decision === 'denied' && event.status === 'error') return { ...event, status: 'denied' }",
      replace: '',
      promise: 'a call that a person denied is denied, not failed',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: "approvals.decisionOf(call.id) === 'denied' ? 'denied' : 'cancelled'",
      replace: "'cancelled'",
      promise: 'a denied call whose agent says no more of it is denied',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: "decision === 'approved' && event.status === 'denied'",
      replace: 'decision === undefined',
      promise: 'a call that a person approved is not denied',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: '        approvals.expireOf(call.id)\n        calls.delete(call.key)\n',
      replace: '        calls.delete(call.key)\n',
      promise: 'a question expires when its call has its output',
    },
  ],
}
