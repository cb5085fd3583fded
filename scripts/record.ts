// Records a stream as a fixture: npm run record -- FORMAT CASE [-- COMMAND …]; without a command, from standard input.
// Without arguments, every framework of recorders/ plays the scenario and is recorded again.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { getParser, parsers } from '@millrace/core/parse'
import { detectFormat } from '@millrace/core/parse/detect'
import { getSource } from '@millrace/core/source'
import { installFolder } from './setup/folder.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
if (process.argv.length === 2) process.exit(recordAll())

const separator = process.argv.indexOf('--', 2)
const ownArguments = process.argv.slice(2, separator === -1 ? undefined : separator)
const command = separator === -1 ? [] : process.argv.slice(separator + 1)
const [format, name] = ownArguments

if (format === undefined || name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error('Usage: npm run record -- FORMAT CASE [-- COMMAND …]   (CASE in small letters, digits and hyphens)')
  process.exit(2)
}
getParser(format)

const bytes = await buffer(command.length === 0 ? process.stdin : outputOf(command))
const framing = framingOf(bytes)
const source = getSource(framing)()
const records = [...source.feed(bytes), ...source.end()]
const detected = detectFormat(parsers, records)
const path = join(
  root,
  'fixtures',
  format,
  `${name}.${{ sse: 'sse', 'json-lines': 'jsonl', 'json-array': 'json' }[framing]}`,
)
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, bytes, { flag: 'wx' })
console.error(`${records.length} records, ${bytes.length} bytes → ${path.slice(root.length + 1)}`)
console.error(
  detected.format === format
    ? `Recognised as ${format}: ${detected.reason}`
    : `Not recognised as ${format}: ${detected.format ?? 'unsure'}, ${detected.reason}`,
)

function recordAll(): number {
  if (!installFolder('recorders', 'the frameworks')) return 1
  const { status } = spawnSync(process.execPath, [join(root, 'recorders', 'main.ts')], { cwd: root, stdio: 'inherit' })
  return status ?? 1
}

function outputOf([program = '', ...args]: readonly string[]): Readable {
  const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] })
  child.on('error', (error) => {
    console.error(`${program} did not start: ${error.message}`)
    process.exit(1)
  })
  return child.stdout
}

function framingOf(all: Uint8Array): 'sse' | 'json-lines' | 'json-array' {
  const start = new TextDecoder().decode(all.subarray(0, 4096)).trimStart()
  if (/^(?::|(?:data|event|id|retry):)/.test(start)) return 'sse'
  return /^\[\s*\{/.test(start) ? 'json-array' : 'json-lines'
}
