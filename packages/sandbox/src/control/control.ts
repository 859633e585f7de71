import { Hono } from 'hono'
import { problemOf } from '../problems.ts'
import { alphanumeric } from '../random.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Changes } from './changes.ts'
import { clockOf } from './clock.ts'
import { guard } from './guard.ts'
import type { Recorder } from './recorder.ts'
import { stateOf } from './state/state.ts'
import type { Streams } from './streams.ts'

export interface Control {
  readonly sandbox: Sandbox
  readonly recorder: Recorder
  readonly changes: Changes
  readonly streams: Streams
  readonly allowedHosts: readonly string[]
}

/** What a tester sees of a sandbox and does to it, below `/_sandbox`. */
export function createControl(control: Control): Hono {
  const { sandbox, recorder, changes, streams, allowedHosts } = control
  const app = new Hono()
  app.onError((error) => problemOf(error, `req_${alphanumeric(sandbox.context.random, 20)}`))
  app.use(async (c, next) => {
    guard(c.req.raw, allowedHosts)
    await next()
    if (c.req.method !== 'GET') changes.announce()
  })
  app.get('/state', async (c) => c.json(await stateOf(sandbox, recorder)))
  app.get('/stream', () => streams.open())
  app.get('/clock', (c) => c.json(clockOf(sandbox.clock)))
  return app
}
