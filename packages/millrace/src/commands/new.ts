import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../command.ts'
import { exitCodes, Failure, usageError } from '../exit.ts'

const flags = {
  agents: { type: 'string', value: 'FOLDER', about: 'the folder of agents (default: MILLRACE_AGENTS or agents)' },
} as const

export const create = command({
  usage: 'millrace new agent NAME [FLAGS]',
  summary: 'write an agent that runs, to be changed',
  about: ['Writes FOLDER/NAME/agent.yaml and a program of a few lines. `millrace serve` lists it at once.'],
  examples: ['millrace new agent survey'],
  flags,
  async run(values, [kind, name, ...more], messages) {
    if (kind !== 'agent' || name === undefined || more.length > 0) throw usageError('new takes "agent" and a name.')
    if (!/^[a-z\d][a-z\d_-]{0,63}$/i.test(name)) {
      throw usageError(`"${name}" cannot be a name; it needs letters, digits, _ and -.`)
    }
    const folder = join(values.agents ?? (process.env.MILLRACE_AGENTS || 'agents'), name)
    if (existsSync(folder)) throw new Failure('failed', 'exists', `${folder} is there already.`)
    mkdirSync(folder, { recursive: true })
    for (const [file, text] of Object.entries(filesOf(name))) writeFileSync(join(folder, file), text)
    messages.note(`Wrote ${join(folder, 'agent.yaml')} and agent.mjs. Try it: millrace serve`)
    return exitCodes.ok
  },
})

const filesOf = (name: string): { readonly [file: string]: string } => ({
  'agent.yaml': `title: ${name}\nrun: [node, agent.mjs]\ncwd: thread\n`,
  'agent.mjs': PROGRAM,
})

const PROGRAM = `import { createInterface } from 'node:readline'

// One line of JSON each way: {"type", "data"}.
const emit = (type, data = {}) => process.stdout.write(\`\${JSON.stringify({ type, data })}\\n\`)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => JSON.parse((await lines.next()).value)

const { data: input } = await read()
emit('status', { message: 'Thinking about it' })
emit('ask', { id: 'q1', message: 'Shall I answer?' })
const { data: answer } = await read()
emit('text', { content: answer.state === 'approved' ? \`You said: \${input.text}\` : 'Then not.' })
emit('done')
process.exit(0)
`
