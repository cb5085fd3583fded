import type { Stage } from './mutant.ts'

const agents = 'packages/server/src/agents'
const outbound = `${agents}/outbound`

/** Bugs in what services as agents have in common, and in the rules of what may be called. */
export const services: Stage = {
  name: 'services',
  tests: [
    'packages/server/test/agents-http.test.ts',
    'packages/server/test/agents-http-protocols.test.ts',
    'packages/server/test/agents-http-turns.test.ts',
    'packages/server/test/agents-endpoints.test.ts',
    'packages/server/test/agents-folder.test.ts',
  ],
  mutants: [
    {
      file: `${outbound}/send.ts`,
      find: 'if (url.origin !== target.url.origin)',
      replace: "if (url.origin === 'null')",
      promise: 'a redirect stays in its origin',
    },
    {
      file: `${outbound}/send.ts`,
      find: 'const strange = addresses.find(({ address }) => !mayReach(target, address))',
      replace: 'const strange = addresses.find(({ address }) => address === name)',
      promise: 'a name that leads inward is not called',
    },
    {
      file: `${outbound}/send.ts`,
      find: "if (call.method !== 'GET' && !SAME_REQUEST.has(answer.status))",
      replace: "if (call.method === 'DELETE')",
      promise: 'a redirect that loses the request is not followed',
    },
    {
      file: `${outbound}/addresses.ts`,
      find: "'169.254.0.0/16', ",
      replace: '',
      promise: 'the metadata of a cloud is never called',
    },
    {
      file: `${outbound}/target.ts`,
      find: "if (reach === 'private') return found !== 'never'",
      replace: "if (found !== 'never') return true",
      promise: 'a public name may have public addresses only',
    },
    {
      file: `${outbound}/target.ts`,
      find: "if (url.protocol === 'http:' && allowed === 'public')",
      replace: "if (url.protocol === 'none:')",
      promise: 'what leaves the network is encrypted',
    },
    {
      file: `${outbound}/wire.ts`,
      find: "if (output > limits.output) throw overCallLimit(name, 'output', limits)",
      replace: '',
      promise: 'an endless answer ends at the limit of its output',
    },
    {
      file: `${outbound}/wire.ts`,
      find: 'if (bytes.includes(10)) onLine()',
      replace: 'onLine()',
      promise: 'a drip that completes no line is idle',
    },
    {
      file: `${outbound}/wire.ts`,
      find: "if (problem?.code === 'record-too-large') throw overCallLimit(name, 'line', limits)",
      replace: '',
      promise: 'a record without an end ends at its limit',
    },
    {
      file: `${outbound}/wire.ts`,
      find: 'const AGAIN: ReadonlySet<number> = new Set([429, ',
      replace: 'const AGAIN: ReadonlySet<number> = new Set([',
      promise: 'a request is repeated after 429',
    },
    {
      file: `${outbound}/wire.ts`,
      find: ' || after > LONGEST_PAUSE)',
      replace: ')',
      promise: 'a service that wants to be left alone is not waited for',
    },
    {
      file: `${outbound}/wire.ts`,
      find: "options.secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)",
      replace: 'text',
      promise: 'a secret that the service repeats is not shown',
    },
    {
      file: `${outbound}/last-id.ts`,
      find: "else if (text === '') last = pending ?? last",
      replace: 'last = pending ?? last',
      promise: 'a service is asked for what follows the last event that came whole',
    },
    {
      file: `${agents}/http-run.ts`,
      find: 'const url = `${target.url.origin}${target.url.pathname}`',
      replace: 'const url = target.url.href',
      promise: 'the query of an address is not logged',
    },
    {
      file: `${agents}/http-run.ts`,
      find: 'call = rejoins < MOST_REJOINS ? rejoin?.() : undefined',
      replace: 'call = rejoin?.()',
      promise: 'an answer that breaks again and again is given up',
    },
    {
      file: `${agents}/http-run.ts`,
      find: 'const first = isRestarted ? Math.min(...open) : 0',
      replace: 'const first = isRestarted ? Number.POSITIVE_INFINITY : 0',
      promise: 'a question outlives the process',
    },
    {
      file: `${agents}/http-run.ts`,
      find: 'onWaiting(true)',
      replace: '',
      promise: 'a run that waits for a person counts for no limit',
    },
    {
      file: `${agents}/http-agent.ts`,
      find: 'if (!(error instanceof Refused) || error.status !== 404) throw error',
      replace: 'throw error',
      promise: 'a conversation that the service has forgotten is begun again',
    },
    {
      file: `${agents}/http-file.ts`,
      find: 'variablesIn({ value }).find((name) => !env.includes(name))',
      replace: 'variablesIn({ value }).find((name) => name === header)',
      promise: 'a header takes listed variables only',
    },
    {
      file: `${agents}/endpoints/a2a.ts`,
      find: "if (asked === 'subscribe') return 'get'",
      replace: '',
      promise: 'a task that has ended meanwhile is asked for',
    },
    {
      file: `${agents}/endpoints/a2a.ts`,
      find: 'version = OLDER',
      replace: 'version = CURRENT',
      promise: 'a service that speaks 0.3 alone is spoken to in 0.3',
    },
    {
      file: `${agents}/endpoints/ag-ui.ts`,
      find: "return hasContent || value.type !== 'MESSAGES_SNAPSHOT' || !isRepeated(value.messages)",
      replace: 'return true',
      promise: 'the conversation that a service sends back is not drawn again',
    },
    {
      file: `${agents}/endpoints/langgraph.ts`,
      find: "? { type: 'approve' }",
      replace: "? { type: 'reject' }",
      promise: 'an approved action is approved',
    },
    {
      file: `${agents}/endpoints/ai-sdk.ts`,
      find: "approved: answer.state === 'approved'",
      replace: 'approved: true',
      promise: 'a denied call is denied',
    },
    {
      file: 'packages/core/src/read/echoes.ts',
      find: 'if (isEcho) at = end',
      replace: 'if (isEcho) kept.push(...events.slice(at, end))',
      promise: 'what a person said is logged once',
    },
  ],
}
