import { Hono } from 'hono'
import type { Sandbox } from '../sandbox.ts'
import type { Recorder } from './recorder.ts'

/** What a tester does to a sandbox, below `/_sandbox`. */
export function createControl({ clock }: Sandbox, _recorder: Recorder): Hono {
  const app = new Hono()
  app.get('/clock', (c) => c.json({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen }))
  return app
}
