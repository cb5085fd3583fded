import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ThreadDetail } from '@millrace/core/api'
import { expect, it } from 'vitest'
import { createAgentFolder } from '../src/agents/agent-folder.ts'
import { threadsIn } from '../src/agents/presets.ts'
import { startServer, until } from './serving.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The examples, each with the files of its folder. The emitter of TypeScript is a package, that of Python one file beside the program. */
const examples = [
  ['python', 'python3', 'agent.py', ['packages/agent/millrace_emit.py']],
  ['typescript', process.execPath, 'agent.ts', []],
] as const

it.each(examples)(
  'S0-127, S0-130: the example in %s, dropped as a folder, is listed, runs without a restart, and its stdout is kept',
  async (name, program, file, beside) => {
    // Below the repository, where the package of the emitters is found.
    const folder = await mkdtemp(join(root, 'packages/server/test/.dropped-'))
    try {
      const dataFolder = join(folder, 'data')
      await mkdir(dataFolder)
      const agents = createAgentFolder(join(folder, 'agents'), { threads: threadsIn(dataFolder) })
      const server = await startServer({ dataFolder, agents: agents.agents })
      const listed = async () => ((await (await server.ask('/api/agents')).json()) as { agents: unknown }).agents
      expect(await listed()).toEqual([])

      const own = join(folder, 'agents', name)
      await mkdir(own, { recursive: true })
      for (const path of [`examples/${file}`, ...beside])
        await copyFile(join(root, path), join(own, path.split('/').at(-1) ?? ''))
      await writeFile(join(own, 'agent.yaml'), `title: Survey\nrun: [${program}, ${file}]\ncwd: thread\n`)
      expect(await listed()).toMatchObject([{ name, title: 'Survey' }])

      await server.send('POST', '/api/threads/t/runs', { agent: name, input: { text: 'The brook' }, runId: 'r' })
      const answer = () => server.send('POST', '/api/runs/r/approvals/question-1', { state: 'approved' })
      await until(async () => (await answer()).status === 200)
      const thread = async () => (await (await server.ask('/api/threads/t')).json()) as ThreadDetail
      await until(async () => (await thread()).runs[0]?.state === 'ended')
      const { runs, chatEvents } = await thread()
      expect(runs).toMatchObject([{ outcome: 'success' }])
      expect(JSON.stringify(chatEvents)).toContain('The survey is written. The brook carries enough.')
      expect(await readFile(join(dataFolder, 'work/t/survey.md'), 'utf8')).toBe('The brook')
      // What it has printed, as it has printed it.
      const printed = await (await server.ask('/api/runs/r/raw')).text()
      expect(
        printed
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { type: string }).type),
      ).toEqual(['status', 'tool_use', 'tool_result', 'ask', 'text', 'text', 'done'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
