import type { Parser } from '@millrace/core/parse'
import type { Wire } from '@millrace/core/wire'

/** What `millrace.config.ts`, `.js` or `.json` may contain. Every field may be absent. */
export interface Config {
  /** The port to listen on; 0 picks a free one. Default: 4870. */
  readonly port?: number
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** The folder for all data, relative to the folder of this file. Default: `.millrace` in the working folder. */
  readonly data?: string
  /** The PostgreSQL database that several servers share, such as `postgres://user:password@host/name`. Default: none; the log is a file in the data folder. */
  readonly databaseUrl?: string
  /** The Redis that wakes the servers of a shared database, such as `redis://host`. Default: the database does. */
  readonly redisUrl?: string
  /** The token that clients must send. Default: one that is generated once, and kept in the data folder. */
  readonly token?: string
  /** Exact origins of pages elsewhere that may use the API, such as `https://app.example.com`. Default: none. */
  readonly origins?: readonly string[]
  /** Further host names under which the server is reached, such as a proxy's: `chat.example.com`. Default: none. */
  readonly hosts?: readonly string[]
  /** The path below which everything is served, such as `/agents`. Default: the root. */
  readonly basePath?: string
  /** One line of JSON on stderr for each request. Default: false. */
  readonly requestLog?: boolean
  /** For clients of `/api/v2/sessions` that cannot say it themselves. Default: nothing is set. */
  readonly sessions?: ConfigSessions
  /** Formats of your own, by name, for `serve`, `convert` and `detect`. Not in JSON. */
  readonly parsers?: { readonly [name: string]: Parser }
  /** Wires of your own, by name, for `serve` and `convert`. Not in JSON. */
  readonly wires?: { readonly [name: string]: Wire }
  readonly limits?: ConfigLimits
}

export interface ConfigSessions {
  /** The profile of `ds-agent` for sessions that name none. Default: none; a delta is what was added. */
  readonly profile?: string
  /** The agent behind each `agent_type` of the clients, such as `{ react: 'survey' }`. Other names are names of agents. */
  readonly agents?: { readonly [agentType: string]: string }
}

/** The unit is in each name; a megabyte has 1,048,576 bytes. */
export interface ConfigLimits {
  /** The largest file that can be uploaded. Default: 64. */
  readonly uploadMegabytes?: number
  /** The largest JSON body of a request. Default: 4, at most 256. */
  readonly bodyMegabytes?: number
  /** How long a run waits for its producer to return. Default: 60. */
  readonly resumeSeconds?: number
  /** How long an agent may continue after it was asked to stop. Default: 5. */
  readonly stopSeconds?: number
  /** How long a conversation whose requests say `?leaving=stops` may have no viewer before its run is stopped. Default: 10. */
  readonly leaveSeconds?: number
  /** How long the server goes on after SIGTERM without taking new runs, so that load balancers notice. Default: 0. */
  readonly drainSeconds?: number
  /** A silent stream sends a sign of life at least this often. Default: 15, at most 15. */
  readonly heartbeatSeconds?: number
  /** A viewer that has read nothing for this long is disconnected; it can resume. Default: 30. */
  readonly stallSeconds?: number
}
