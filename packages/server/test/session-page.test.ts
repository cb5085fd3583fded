import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { done, talking } from './scripted-agents.ts'
import { type Serving, scripted, startServer } from './serving.ts'

const page = readFileSync(fileURLToPath(new URL('../../../docs/wires/sessions.md', import.meta.url)), 'utf8')
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')

/** Runs a copy of the page's client. */
async function runPage({ url, token }: Serving, query: string): Promise<{ stdout: string; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'ask.ts'), blocks.join('\n'))
    const env = { PATH: process.env.PATH, MILLRACE_URL: url, MILLRACE_TOKEN: token }
    return await promisify(execFile)(process.execPath, ['ask.ts', query], { cwd: folder, env, timeout: 30_000 })
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the page about sessions', () => {
  it('has one client, which prints the answer and nothing else', async () => {
    expect(blocks).toHaveLength(1)
    const answering = scripted('answering', async function* ({ input }) {
      yield { type: 'text', data: { content: `You said ` } }
      yield { type: 'text', data: { content: `${input.text}.` } }
      yield done
    })
    const server = await startServer({ agents: [answering, talking] })
    expect(await runPage(server, 'hello')).toEqual({ stdout: 'You said hello.', stderr: '' })
  })
})
