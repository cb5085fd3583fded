import { describe, expect, it } from 'vitest'
import { settingsOf } from './settings.ts'

const file = (config: object) => ({ path: '/srv/mill/millrace.config.json', config })

describe('the settings of a server', () => {
  it('have defaults', () => {
    expect(settingsOf({}, {}, undefined)).toEqual({
      port: 4870,
      host: '127.0.0.1',
      data: '.millrace',
      token: undefined,
      origins: [],
      sessions: {},
      hosts: [],
      basePath: '',
      requestLog: false,
      limits: {
        uploadMegabytes: 64,
        bodyMegabytes: 4,
        resumeSeconds: 60,
        stopSeconds: 5,
        leaveSeconds: 10,
        drainSeconds: 0,
        heartbeatSeconds: 15,
        stallSeconds: 30,
      },
    })
  })

  const flags = {
    port: '1',
    host: 'a1',
    data: 'd1',
    token: 't1',
    origin: ['http://o1'],
    'host-name': ['h1'],
    'base-path': '/p1',
    'request-log': true,
  }
  const environment = {
    PORT: '2',
    MILLRACE_HOST: 'a2',
    MILLRACE_DATA: 'd2',
    MILLRACE_TOKEN: 't2',
    MILLRACE_ORIGINS: 'http://o2, http://o3',
    MILLRACE_HOSTS: 'h2,h3',
    MILLRACE_BASE_PATH: '/p2',
    MILLRACE_REQUEST_LOG: '0',
  }
  const config = {
    port: 3,
    host: 'a3',
    data: 'd3',
    token: 't3',
    origins: ['http://o3'],
    hosts: ['h3'],
    basePath: '/p3',
    requestLog: true,
  }

  it('are those of the flags, then of the environment, then of the file', () => {
    const { limits: _limits, ...byFlags } = settingsOf(flags, environment, file(config))
    expect(byFlags).toEqual({
      port: 1,
      host: 'a1',
      data: 'd1',
      token: 't1',
      origins: ['http://o1'],
      hosts: ['h1'],
      basePath: '/p1',
      requestLog: true,
      sessions: {},
    })
    const { limits: _same, ...byEnvironment } = settingsOf({}, environment, file(config))
    expect(byEnvironment).toEqual({
      port: 2,
      host: 'a2',
      data: 'd2',
      token: 't2',
      origins: ['http://o2', 'http://o3'],
      hosts: ['h2', 'h3'],
      basePath: '/p2',
      requestLog: false,
      sessions: {},
    })
    expect(settingsOf({}, { PORT: '', MILLRACE_ORIGINS: '' }, file(config))).toMatchObject({
      ...config,
      data: '/srv/mill/d3',
    })
  })

  it('have limits that are overridden one by one', () => {
    const limits = { stopSeconds: 7, uploadMegabytes: 8, stallSeconds: undefined }
    const settings = settingsOf({ 'stop-seconds': '0.5' }, {}, file({ limits, token: undefined }))
    expect(settings.limits).toMatchObject({ stopSeconds: 0.5, uploadMegabytes: 8, resumeSeconds: 60, stallSeconds: 30 })
    const all = settingsOf({ 'upload-megabytes': '1', 'resume-seconds': '2', 'stop-seconds': '3' }, {}, undefined)
    expect(all.limits).toMatchObject({ uploadMegabytes: 1, resumeSeconds: 2, stopSeconds: 3 })
  })

  it('have a limit in the environment, between the flag and the file', () => {
    const [environment, limits] = [{ MILLRACE_DRAIN_SECONDS: '20' }, { drainSeconds: 30 }]
    const drainOf = (...given: Parameters<typeof settingsOf>) => settingsOf(...given).limits.drainSeconds
    expect(drainOf({ 'drain-seconds': '0' }, environment, file({ limits }))).toBe(0)
    expect(drainOf({}, environment, file({ limits }))).toBe(20)
    expect(drainOf({}, {}, file({ limits }))).toBe(30)
  })

  it('name the flag or variable that is wrong, all at once', () => {
    const wrong = { port: '1e3', origin: ['*', 'x'], 'stop-seconds': '-1', 'upload-megabytes': 'Infinity' }
    const problems = (() => {
      try {
        return settingsOf(wrong, { MILLRACE_HOSTS: 'a:1', PORT: 'x', MILLRACE_REQUEST_LOG: 'yes' }, undefined)
      } catch (error) {
        return (error as Error).message.split('\n')
      }
    })()
    expect(problems).toEqual([
      '--port must be a whole number from 0 to 65535, not "1e3".',
      '--origin may not be "*": every page of the web could ask. Name each origin.',
      '--origin must be an exact origin, such as "https://app.example.com" or "http://localhost:5173", not "x".',
      '--upload-megabytes must be a number above 0, not "Infinity".',
      '--stop-seconds must be a number above 0 and at most 2147483, not "-1".',
      'PORT must be a whole number from 0 to 65535, not "x".',
      'MILLRACE_HOSTS must be a host name without scheme, port and path, such as "chat.example.com", not "a:1".',
      'MILLRACE_REQUEST_LOG must be true or false, not "yes".',
    ])
  })
})
