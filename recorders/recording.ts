import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Script } from './provider/script.ts'
import { type Provider, startProvider } from './provider/server.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** The provider, and the folder that a framework works in: it is `/project` in the recording. */
export type Stage = { readonly provider: Provider; readonly folder: string }

export type Recording = {
  /** One record, as a line of JSON. */
  readonly add: (record: unknown) => void
  /** Text that is already framed: frames of a response, or the lines that a program prints. */
  readonly addText: (text: string) => void
}

/**
 * Runs a framework against the script and writes what it streams to `fixtures/<framework>/<file>`. An error of the
 * framework is part of the recording only if `play` catches it; otherwise nothing is written.
 */
export async function record(
  format: string,
  file: string,
  script: Script,
  play: (recording: Recording, stage: Stage) => Promise<void>,
): Promise<void> {
  const provider = await startProvider(script)
  const folder = mkdtempSync(join(tmpdir(), 'recorders-'))
  const pieces: string[] = []
  try {
    await play(
      { add: (value) => pieces.push(lineOf(value)), addText: (text) => pieces.push(text) },
      { provider, folder },
    )
  } finally {
    provider.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const text = scrubbed(pieces.join(''), { provider, folder })
  const path = join(root, 'fixtures', format, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  // Ids and times are new, so the expected events are out of date; the next test writes them again.
  rmSync(path.replace(/\.[a-z]+$/, '.golden'), { force: true })
  console.error(`${text.length} bytes → fixtures/${format}/${file}`)
}

/** JSON shows no field of an error, so its name and message are written, as a service would do. */
const lineOf = (record: unknown) =>
  `${JSON.stringify(record, (_, value) => (value instanceof Error ? { name: value.name, message: value.message } : value))}\n`

/** A shorter name of a host or a home would also match unrelated text. */
const SHORTEST_NAME = 4

/** A recording holds nothing about the machine that made it. */
function scrubbed(text: string, { provider, folder }: Stage): string {
  const replacements: readonly (readonly [found: string, put: string])[] = [
    [folder, '/project'],
    [folder.replaceAll('/', '-'), '-project'],
    [provider.url, 'http://127.0.0.1:8080'],
    [root, '/millrace'],
    [homedir(), '/home/skipper'],
    [hostname(), 'harbour'],
  ]
  const clean = replacements
    .filter(([found]) => found.length >= SHORTEST_NAME)
    .reduce((all, [found, put]) => all.replaceAll(found, put), text)
  const leaks = [tmpdir(), `/${userInfo().username}/`, `:${provider.port}`].filter((word) => clean.includes(word))
  if (leaks.length > 0) throw new Error(`The recording still holds ${leaks.join(', ')}`)
  return clean
}
