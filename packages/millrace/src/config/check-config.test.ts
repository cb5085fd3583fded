import { describe, expect, it } from 'vitest'
import { checkFile } from './check-config.ts'

const parser = { version: 1, losses: {}, recognize: () => undefined, create: () => ({}) }
const wire = { losses: {}, profiles: [], headers: {}, create: () => ({}) }

describe('the settings of a file', () => {
  it('may be absent, one by one or all', () => {
    expect(checkFile({}, true)).toEqual([])
    expect(checkFile({ port: undefined, limits: { stopSeconds: undefined } }, false)).toEqual([])
  })

  it('are all accepted', () => {
    const plain = {
      port: 0,
      host: '::',
      data: 'runs',
      databaseUrl: 'postgres://millrace:secret@db.example.com/runs',
      redisUrl: 'rediss://cache.example.com:6380',
      token: 'a-token-of-some-length',
      origins: ['https://app.example.com', 'http://localhost:5173', 'http://[::1]:3000', 'capacitor://localhost'],
      hosts: ['chat.example.com', '10.0.0.7', '[::1]'],
      basePath: '/agents/v1/',
      requestLog: true,
      sessions: { profile: 'cumulative', agents: { react: 'survey' } },
      limits: {
        uploadMegabytes: 0.5,
        bodyMegabytes: 256,
        resumeSeconds: 2_147_483,
        stopSeconds: 0.1,
        leaveSeconds: 3,
        drainSeconds: 0,
        heartbeatSeconds: 15,
        stallSeconds: 1,
      },
    }
    expect(checkFile(plain, true)).toEqual([])
    expect(checkFile({ ...plain, parsers: { 'my-format': parser }, wires: { mine: wire } }, false)).toEqual([])
  })

  it.each<[unknown, string]>([
    [{ port: '80' }, 'port must be a whole number from 0 to 65535, not "80".'],
    [{ port: 65_536 }, 'port must be a whole number from 0 to 65535, not 65536.'],
    [{ port: -1 }, 'port must be a whole number from 0 to 65535, not -1.'],
    [{ port: 1.5 }, 'port must be a whole number from 0 to 65535, not 1.5.'],
    [{ host: '' }, 'host must be text that is not empty, not "".'],
    [{ data: 7 }, 'data must be text that is not empty, not 7.'],
    [{ data: null }, 'data must be text that is not empty, not null.'],
    [{ databaseUrl: 'localhost:5432' }, 'databaseUrl must be a URL that begins with postgres:// or postgresql://.'],
    [{ databaseUrl: 7 }, 'databaseUrl must be a URL that begins with postgres:// or postgresql://.'],
    [{ redisUrl: 'http://localhost' }, 'redisUrl must be a URL that begins with redis:// or rediss://.'],
    [{ token: 12345678 }, 'token must be text in quotes.'],
    [{ token: '' }, 'token: The token is empty.'],
    [
      { token: 'two words' },
      'token: A token consists of visible ASCII characters without spaces: no other character is valid in a header.',
    ],
    [{ sessions: 'cumulative' }, 'sessions must be an object, not "cumulative".'],
    [{ sessions: { profile: 'other' } }, 'sessions.profile must be one of cumulative, legacy-names, not "other".'],
    [{ sessions: { agents: { react: 7 } } }, 'sessions.agents.react must be text that is not empty, not 7.'],
    [{ origins: '*' }, 'origins may not be "*": every page of the web could ask. Name each origin.'],
    [{ origins: ['*'] }, 'origins[0] may not be "*": every page of the web could ask. Name each origin.'],
    [
      { origins: 'https://a.example' },
      'origins must be a list of exact origins, such as ["https://app.example.com"], not "https://a.example".',
    ],
    [{ origins: ['https://a.example', 3] }, 'origins[1] must be text, not 3.'],
    [
      { origins: ['https://A.example/path'] },
      'origins[0] must be an exact origin, such as "https://app.example.com" or "http://localhost:5173", not "https://A.example/path"; a browser sends "https://a.example".',
    ],
    [
      { origins: ['a.example'] },
      'origins[0] must be an exact origin, such as "https://app.example.com" or "http://localhost:5173", not "a.example".',
    ],
    [
      { hosts: ['https://a.example'] },
      'hosts[0] must be a host name without scheme, port and path, such as "chat.example.com", not "https://a.example".',
    ],
    [{ hosts: { a: 1 } }, 'hosts must be a list of host names, such as ["chat.example.com"], not {"a":1}.'],
    [
      { basePath: 'agents' },
      'basePath must be a path such as "/agents", without characters to be encoded, not "agents".',
    ],
    [{ basePath: 3 }, 'basePath must be a path such as "/agents", not 3.'],
    [{ limits: [] }, 'limits must be an object, not [].'],
    [{ limits: { uploadMegabytes: 'many' } }, 'limits.uploadMegabytes must be a number above 0, not "many".'],
    [{ limits: { bodyMegabytes: 257 } }, 'limits.bodyMegabytes must be a number above 0 and at most 256, not 257.'],
    [{ limits: { heartbeatSeconds: 16 } }, 'limits.heartbeatSeconds must be a number above 0 and at most 15, not 16.'],
    [{ limits: { stopSeconds: 0 } }, 'limits.stopSeconds must be a number above 0 and at most 2147483, not 0.'],
    [
      { limits: { resumeSeconds: 2_147_484 } },
      'limits.resumeSeconds must be a number above 0 and at most 2147483, not 2147484.',
    ],
    [{ limits: { drainSeconds: -1 } }, 'limits.drainSeconds must be a number from 0 to 2147483, not -1.'],
    [{ requestLog: 1 }, 'requestLog must be true or false, not 1.'],
    [{ limits: { stopSecond: 3 } }, 'there is no field limits.stopSecond; did you mean limits.stopSeconds?'],
    [{ prot: 3 }, 'there is no field prot; did you mean port?'],
    [{ basepath: '/a' }, 'there is no field basepath; did you mean basePath?'],
    [
      { zebra: 3 },
      'there is no field zebra; the fields are port, host, data, databaseUrl, redisUrl, token, origins, hosts, basePath, requestLog, sessions, parsers, wires, limits.',
    ],
    [{ parsers: 3 }, 'parsers must be an object, not 3.'],
    [
      { parsers: { mine: () => parser } },
      'parsers.mine must be a parser; it has no version, no losses, no recognize, no create.',
    ],
    [{ wires: { mine: { ...wire, create: undefined, headers: {} } } }, 'wires.mine must be a wire; it has no create.'],
    [{ wires: { 'My wire': wire } }, 'wires: "My wire" cannot be a name; it needs small letters, digits and hyphens.'],
    [{ parsers: { auto: parser } }, 'parsers: "auto" cannot be a name: it stands for detection.'],
    [3, 'the default export must be an object, not 3.'],
    [() => ({}), 'the default export must be an object, not a function.'],
    ['x'.repeat(100), `the default export must be an object, not "${'x'.repeat(59)}….`],
  ])('are not %j', (content, sentence) => {
    expect(checkFile(content, false)).toEqual([sentence])
  })

  it('in JSON contain no members, which are code', () => {
    expect(checkFile({ parsers: {}, wires: {} }, true)).toEqual([
      'parsers cannot be in JSON: use millrace.config.ts or millrace.config.js.',
      'wires cannot be in JSON: use millrace.config.ts or millrace.config.js.',
    ])
    expect(checkFile([], true)).toEqual(['the content must be an object, not [].'])
  })

  it('are checked to the end: all that is wrong is named at once', () => {
    const problems = checkFile({ port: 'x', hots: [], origins: ['*', 'b'], limits: { a: 1, stopSeconds: 'b' } }, true)
    expect(problems).toHaveLength(6)
  })

  it('never repeat a token or a password', () => {
    for (const token of ['two words of a secret', 7_654_321, ['secret']])
      expect(checkFile({ token, databaseUrl: `http://a:${token}@b`, redisUrl: `a:${token}` }, true).join()).not.toMatch(
        /secret|7654321/,
      )
  })
})
