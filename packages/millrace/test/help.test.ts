import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { millrace, millraceBin, plainEnvironment } from './command.ts'

describe('millrace', () => {
  it('shows its help, with examples, without arguments', async () => {
    const { code, stdout, stderr } = await millrace([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of ['convert', 'detect', 'Examples', '--help']) expect(stdout).toContain(word)
    expect((await millrace(['--help'])).stdout).toBe(stdout)
    expect((await millrace(['help'])).stdout).toBe(stdout)
  })

  it('requires a command if stdin is piped', async () => {
    const { code, stdout, stderr } = await millrace([], { stdin: '{}\n' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('A command is missing')
  })

  it('requires a command if stdin is a file', async () => {
    const script = `"${process.execPath}" "${millraceBin}" < "${millraceBin}"`
    const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: plainEnvironment() })
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('A command is missing') })
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await millrace(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(['convert', 'detect'])('explains %s with its flags and examples', async (name) => {
    const { code, stdout } = await millrace([name, '--help'])
    expect(code).toBe(0)
    for (const word of [`millrace ${name}`, '--framing', '--json', 'Examples']) expect(stdout).toContain(word)
    expect((await millrace(['help', name])).stdout).toBe(stdout)
    expect((await millrace(['-h', name])).stdout).toBe(stdout)
  })

  it('names every format and target of the registries in the help of convert', async () => {
    const { stdout } = await millrace(['convert', '--help'])
    for (const name of [...Object.keys(parsers), ...Object.keys(wires)]) expect(stdout).toContain(name)
  })

  it.each([
    [['swim'], 'There is no command "swim".'],
    [['toString'], 'There is no command "toString".'],
    [['--swim'], "Unknown option '--swim'."],
  ])('exits with 2 for %j', async (args, sentence) => {
    const { code, stdout, stderr } = await millrace(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`millrace: ${sentence}`)
  })

  it('uses colors only if they are enabled', async () => {
    const forced = { ...plainEnvironment(), FORCE_COLOR: '1' }
    expect((await millrace(['swim'])).stderr).not.toContain('\x1b')
    expect((await millrace(['swim'], { env: forced })).stderr).toContain('\x1b[31m')
    expect((await millrace(['swim', '--no-color'], { env: forced })).stderr).not.toContain('\x1b')
    expect((await millrace(['swim'], { env: { ...forced, NO_COLOR: '1' } })).stderr).not.toContain('\x1b')
    for (const off of ['0', 'false'])
      expect((await millrace(['swim'], { env: { ...forced, FORCE_COLOR: off } })).stderr).not.toContain('\x1b')
    expect((await millrace(['--help'], { env: forced })).stdout).toContain('\x1b[1m')
    expect((await millrace(['--help', '--no-color'], { env: forced })).stdout).not.toContain('\x1b')
  })
})
