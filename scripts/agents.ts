// Runs the command line agents of npm through the server, against a scripted provider, and writes what was kept to
// docs/agent-programs.md. Exits with 1 if something is broken. With names, only those are played, and the columns of the others stay;
// with `--record`, their connections are recorded. With `minute`, only the first minute of a new user is played, into
// docs/first-minute.md. With `pictures`, only those of the page of agents are taken; a folder of pictures of the design may follow.
// With `frameworks`, the agents of docs/frameworks are played, into its README.md; with names of pages, only those, and nothing is
// written. With `services`, servers of npm are played as agents behind an address, into docs/agent-services.md; with
// their programs (`a2a.mjs`), only those.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clis } from '../proofs/agents/clis.ts'
import { playFramework } from '../proofs/agents/frameworks/play.ts'
import { frameworks } from '../proofs/agents/frameworks/registry.ts'
import { frameworksReport, type PlayedFramework } from '../proofs/agents/frameworks/report.ts'
import { versionOf as frameworkVersion } from '../proofs/agents/frameworks/stage.ts'
import { ensurePrograms, versionOf } from '../proofs/agents/install.ts'
import { playMinute, writeMinute } from '../proofs/agents/minute.ts'
import { takePictures } from '../proofs/agents/pictures.ts'
import { play } from '../proofs/agents/play.ts'
import { reportOf } from '../proofs/agents/report.ts'
import { keepResult, readResults } from '../proofs/agents/results.ts'
import { playService } from '../proofs/agents/services/play.ts'
import { services } from '../proofs/agents/services/registry.ts'
import { type PlayedService, servicesReport } from '../proofs/agents/services/report.ts'
import { versionOf as serviceVersion } from '../proofs/agents/services/stage.ts'
import { installFolder } from './setup/folder.ts'

/** Groups that no system uses, and no earlier run has used. */
const FIRST_GROUP = 1_000_000 + process.pid * 100

const args = process.argv.slice(2)
if (args[0] === 'pictures') {
  await takePictures(args[1])
  process.exit(0)
}
if (args[0] === 'minute') {
  ensurePrograms()
  writeMinute(await playMinute())
  process.exit(0)
}
if (args[0] === 'frameworks') process.exit((await playFrameworks(args.slice(1))) ? 0 : 1)
if (args[0] === 'services') process.exit((await playServices(args.slice(1))) ? 0 : 1)
const names = args.filter((arg) => !arg.startsWith('--'))
const chosen = names.length === 0 ? clis : clis.filter(({ name }) => names.includes(name))
if (chosen.length === 0) {
  console.error(`There are: ${clis.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

ensurePrograms()
let isKept = true
for (const cli of chosen) {
  const checks = await play(cli, FIRST_GROUP + clis.indexOf(cli), args.includes('--record'))
  if (checks.some(({ problems }) => problems.length > 0)) isKept = false
  keepResult(cli.name, { version: versionOf(cli.packageName), checks })
  writeFileSync(fileURLToPath(new URL('../docs/agent-programs.md', import.meta.url)), reportOf(readResults()))
}
process.exit(isKept ? 0 : 1)

/** Whether everything is kept. */
async function playFrameworks(pages: readonly string[]): Promise<boolean> {
  if (!installFolder('recorders', 'the frameworks, about 1 GB')) return false
  const played: PlayedFramework[] = []
  for (const framework of frameworks.filter(({ page }) => pages.length === 0 || pages.includes(page))) {
    const checks = await playFramework(framework)
    const versions = framework.packages.map((name) => `\`${name}\` ${frameworkVersion(name)}`)
    played.push({ framework, versions, checks })
  }
  const page = fileURLToPath(new URL('../docs/frameworks/README.md', import.meta.url))
  if (pages.length === 0) writeFileSync(page, frameworksReport(played))
  return played.every(({ checks }) => checks.every(({ problems }) => problems.length === 0))
}

/** Whether everything is kept. */
async function playServices(chosenNames: readonly string[]): Promise<boolean> {
  if (!installFolder('proofs/agents/services', 'the services, about 200 MB')) return false
  const played: PlayedService[] = []
  for (const service of services.filter(({ program }) => chosenNames.length === 0 || chosenNames.includes(program))) {
    const versions = service.packages.map((name) => `\`${name}\` ${serviceVersion(name)}`)
    played.push({ service, versions, checks: await playService(service) })
  }
  const page = fileURLToPath(new URL('../docs/agent-services.md', import.meta.url))
  if (chosenNames.length === 0) writeFileSync(page, servicesReport(played))
  return played.every(({ checks }) => checks.every(({ problems }) => problems.length === 0))
}
