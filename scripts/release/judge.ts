import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Resolutions of old projects that cannot load modules at all; the packages are modules only. */
const OLD: ReadonlySet<string> = new Set(['node10', 'node16-cjs'])

/** What publint and attw find wrong with a packed package, as sentences; none if it is right. */
export async function problemsOf(tarball: string): Promise<readonly string[]> {
  const data = readFileSync(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
  })
  const linted = messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`)
  return [...linted, ...(await typeProblemsOf(data))]
}

async function typeProblemsOf(tarball: Uint8Array): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  if (!analysis.types) return ['attw: the package has no declarations']
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem) || !OLD.has(problem.resolutionKind))
    .filter((problem) => !('resolutionOption' in problem) || !OLD.has(problem.resolutionOption))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
}
