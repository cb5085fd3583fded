// Runs before every npm script, on whatever Node the machine has (20 or later): makes sure that what the script needs is
// there. `--browser` adds a Chromium for the tests, `--servers` a PostgreSQL, a Redis and a sandbox for them, `--app` the built web app.
import { installPackages } from './setup/packages.mjs'

installPackages()
if (process.argv.includes('--browser')) (await import('./setup/browser.mjs')).ensureBrowser()
if (process.argv.includes('--servers')) {
  const { ensureSandbox, ensureServers } = await import('./setup/servers.mjs')
  ensureServers()
  ensureSandbox()
}
if (process.argv.includes('--app')) (await import('./setup/app.mjs')).buildApp()
