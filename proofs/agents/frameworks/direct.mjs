// Prints what the stream of an agent's file gives, one JSON value a line, without Millrace: `node direct.mjs FILE TEXT`. What it
// throws is the last line of stderr.
// `fromStream` is replaced by a function that returns what it gets.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const STUB = 'data:text/javascript,export const fromStream = (agent) => agent'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@millrace/agent' ? { url: STUB, shortCircuit: true } : next(specifier, context),
})

const [, , file, text] = process.argv
const { default: agent } = await import(pathToFileURL(file).href)
const { signal } = new AbortController()
const context = { signal, cwd: process.cwd(), session() {}, ask: async () => ({ state: 'approved' }) }
const memory = { history: [], input: { messageId: 'input', text, files: [] }, load: async () => undefined }

/** What an error says is not among the fields that JSON shows. */
const plain = (_name, value) =>
  value instanceof Error ? { ...value, name: value.name, message: value.message } : value
try {
  for await (const value of await agent.stream(memory, context))
    process.stdout.write(`${JSON.stringify(value, plain)}\n`)
} catch (error) {
  // Behind its records, as the last line of the other channel.
  process.stderr.write(`\n${JSON.stringify({ thrown: { name: error.name, message: error.message } })}`)
}
process.stdout.write('', () => process.exit(0))
