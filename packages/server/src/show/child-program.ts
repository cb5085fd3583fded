import { once } from 'node:events'
import { join } from 'node:path'
import { getLog } from '../log/index.ts'
import { createServer } from '../server.ts'

/**
 * The second server of the show: it reads its folder and its token from stdin, prints its address, and ends when stdin does, so
 * that it never outlives the server that has started it.
 */
const [line] = (await once(process.stdin, 'data')) as [Buffer]
const { folder, token } = JSON.parse(String(line)) as { readonly folder: string; readonly token: string }
process.stdin.on('end', () => process.exit())
process.stdin.on('close', () => process.exit())
process.stdin.resume()
const log = await getLog('sqlite').open({ folder: join(folder, 'log') })
const { url } = await createServer({ log, agents: [], dataFolder: folder, token, port: 0 })
process.stdout.write(`${url}\n`)
