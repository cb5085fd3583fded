import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createHarbour } from './harbour-mcp.ts'

serveStdio(createHarbour)
