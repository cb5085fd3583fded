import { mountSuite } from '../../packages/server/test/mount-suite.ts'
import { start } from './server.ts'

mountSuite('node:http', {
  sockets: 'served',
  says: 'Fetch it at noon.',
  async mount(settings) {
    const started = await start({ ...settings, token: 'grindstone', port: 0 })
    return { ...started, headers: { authorization: 'Bearer grindstone' } }
  },
})
