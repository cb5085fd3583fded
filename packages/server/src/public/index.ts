/** A server of its own: the API and the app at one address. */
export { demo } from '../run/demo.ts'
export { createServer, type Server, type ServerOptions } from '../server.ts'
