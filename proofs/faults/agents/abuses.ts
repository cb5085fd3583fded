/** A program that does harm, and what the person is told. */
export interface Abuse {
  readonly code: (megabytes: number) => string
  readonly limits?: { readonly [limit: string]: string | number }
  readonly env?: readonly string[]
  /** What the run's last events contain. */
  readonly explained: RegExp
  /** What they must not. */
  readonly never?: RegExp
  /** Answered once, by its id, as soon as it is asked. */
  readonly question?: string
}

const PRELUDE = `
const { spawn } = require('node:child_process')
const say = (type, data = {}) => process.stdout.write(JSON.stringify({ type, data }) + '\\n')
const rl = require('node:readline').createInterface({ input: process.stdin })
const waiting = [], arrived = []
rl.on('line', (line) => { const value = JSON.parse(line); const next = waiting.shift(); next ? next(value) : arrived.push(value) })
const hear = () => arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve))
const live = () => setInterval(() => {}, 1000)
const sleeper = (options) => spawn('/bin/sh', ['-c', 'trap "" TERM HUP; while :; do sleep 1; done'], options)
`

const playing = (body: string) => () => `${PRELUDE};(async () => { await hear(); ${body} })()`
const sized = (body: (megabytes: number) => string) => (megabytes: number) => playing(body(megabytes))()

const success = /"outcome":"success"/

/** Every abuse, by what the program does. */
export const abuses: { readonly [name: string]: Abuse } = {
  'forks-and-leaves': {
    code: playing(
      `for (let n = 0; n < 20; n++) { sleeper({ stdio: 'ignore' }); sleeper({ detached: true, stdio: 'inherit' }).unref() } say('done')`,
    ),
    explained: success,
  },
  'forks-twice': {
    code: playing(
      `spawn('/bin/sh', ['-c', '(setsid sh -c "trap \\\\"\\\\" TERM; sleep 600" &) ; exit'], { stdio: 'inherit' }); setTimeout(() => say('done'), 200)`,
    ),
    explained: success,
  },
  'ignores-sigterm': {
    code: playing(`process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); live()`),
    limits: { time: '1s' },
    explained: /ran longer than 1 s.*"code":"limit"/,
  },
  floods: {
    code: sized((megabytes) => {
      const text = JSON.stringify({ type: 'text', data: { content: 'x'.repeat(65_000) } })
      return `const line = ${JSON.stringify(`${text}\n`)}; let left = ${megabytes} * 1024 * 1024
        const more = () => { while (left > 0) { left -= line.length; if (!process.stdout.write(line)) return process.stdout.once('drain', more) } say('done') }; more()`
    }),
    limits: { output: '32m' },
    explained: /printed more than 32 MB.*"code":"limit"/,
  },
  'long-line': {
    code: sized(
      (megabytes) =>
        `process.stdout.write('{"type":"text","data":{"content":"' + 'x'.repeat(${Math.ceil(megabytes / 5)} * 1024 * 1024) + '"}}\\n', () => say('done'))`,
    ),
    limits: { line: '2m' },
    explained: /a line of more than 2 MB.*"code":"limit"/,
  },
  'no-line': {
    code: playing(`const part = 'x'.repeat(65536); const more = () => process.stdout.write(part, more); more()`),
    limits: { line: '4m' },
    explained: /a line of more than 4 MB.*"code":"limit"/,
  },
  'closes-and-lives': {
    code: playing(
      `say('text', { content: 'bye' }); require('node:fs').closeSync(1); process.on('SIGTERM', () => {}); live()`,
    ),
    explained: /ended with SIGKILL.*"code":"agent-exit"/,
  },
  'ends-in-a-line': {
    code: playing(`process.stdout.write('{"type":"text","da', () => process.exit(0))`),
    explained: /ended in the middle of a line/,
  },
  'eats-memory': {
    code: playing(`const all = []; setInterval(() => all.push(Buffer.alloc(16 * 1024 * 1024, 1)), 50)`),
    limits: { memory: '256m' },
    explained: /more than 256 MB of memory.*"code":"limit"/,
  },
  'approves-itself': {
    code: playing(`say('ask', { id: 'q', message: 'May I?' }); say('answer', { id: 'q', state: 'approved' }); say('approval', { id: 'q', state: 'approved' })
      const { data } = await hear(); say('text', { content: 'It was ' + data.state }); say('done')`),
    question: 'q',
    explained: /It was denied/,
    never: /"state":"approved","approvalId":"q"|"approvalId":"q","state":"approved"/,
  },
  'asks-twice': {
    code: playing(`say('ask', { id: 'q', message: 'May I dig?' }); say('ask', { id: 'q', message: 'May I burn?' })
      const { data } = await hear(); say('text', { content: 'It was ' + data.state }); say('done')`),
    question: 'q',
    explained: /It was denied/,
  },
  'asks-without-end': {
    code: sized(
      (
        megabytes,
      ) => `let n = 0; const more = () => { while (n < ${megabytes * 100}) if (!process.stdout.write(JSON.stringify({ type: 'ask', data: { id: 'q' + n++, message: 'May I?' } }) + '\\n')) return process.stdout.once('drain', more)
      say('done') }; more()`,
    ),
    explained: /"outcome":"(?:awaiting-input|success|error)"/,
  },
  'long-session': {
    code: playing(`say('session', { id: 's'.repeat(1024 * 1024) }); say('text', { content: 'fine' }); say('done')`),
    explained: success,
  },
  'prints-secrets': {
    code: playing(
      `const key = process.env.FAULTS_CANARY; process.stderr.write(key.slice(0, 9)); setTimeout(() => { process.stderr.write(key.slice(9) + '\\n'); setTimeout(() => process.exit(4), 100) }, 100)`,
    ),
    env: ['FAULTS_CANARY'],
    explained: /ended with code 4/,
    never: /canary-of-the-faults/,
  },
  'poisons-objects': {
    code: playing(
      `process.stdout.write('{"type":"text","data":{"content":"ok","__proto__":{"polluted":true}},"constructor":{"prototype":{"polluted":true}}}\\n'); process.stdout.write('{"__proto__":{"type":"done"},"type":"constructor","data":{}}\\n'); say('done')`,
    ),
    explained: success,
  },
  'links-its-folder': {
    code: playing(
      `const fs = require('node:fs'); const own = process.cwd(); fs.rmSync(own, { recursive: true }); fs.symlinkSync('/etc', own); say('text', { content: 'linked' }); say('done')`,
    ),
    explained: success,
  },
}
