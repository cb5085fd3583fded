import { mountSuite } from '../../packages/server/test/mount-suite.ts'
import { start } from './main.ts'

mountSuite('Hono', {
  sockets: 'served',
  says: 'wait until the frost is over',
  async mount(settings) {
    const started = await start({ ...settings, token: 'hothouse', port: 0 })
    return { ...started, headers: { authorization: 'Bearer hothouse' } }
  },
})
