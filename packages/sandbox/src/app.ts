import { Hono } from 'hono'
import { type Changes, createChanges } from './control/changes.ts'
import { createControl } from './control/control.ts'
import { createFaults } from './control/faults/faults.ts'
import { createRecorder, type Recorder } from './control/recorder.ts'
import { createStreams } from './control/streams.ts'
import type { Fetch } from './listen.ts'
import { createPage } from './page/page.ts'
import { systemRandom } from './random.ts'
import { createSandbox, type Observers, type Sandbox, type SandboxOptions } from './sandbox.ts'

export interface AppOptions extends SandboxOptions {
  /** Whether the page and `/_sandbox/` are served; they are by default. Health and metrics always are. */
  readonly control?: boolean
  /** Names that `/_sandbox/` answers to, besides localhost and addresses; none by default. */
  readonly allowedHosts?: readonly string[]
}

/** A sandbox with all that it serves over HTTP. */
export interface App extends Sandbox {
  readonly fetch: Fetch
  /** Ends streams, and answers that are late on purpose: they would keep a server from closing. */
  drain(): void
}

/**
 * A sandbox with its page and its control.
 *
 * @throws {StoreError} when the state cannot be opened.
 */
export async function createApp({
  control = true,
  allowedHosts = [],
  ...options
}: AppOptions = {}): Promise<App> {
  const recorder = createRecorder()
  const changes = createChanges()
  const streams = createStreams(changes)
  const faults = createFaults(options.random ?? systemRandom())
  const sandbox = await createSandbox({
    ...(control && { disturb: faults.disturb }),
    ...options,
    observe: observed(options.observe, recorder, changes),
  })
  const drain = () => {
    streams.close()
    faults.close()
  }
  const hono = new Hono()
  if (control) {
    const parts = { sandbox, recorder, changes, streams, faults, allowedHosts }
    hono.route('/_sandbox', createControl(parts)).route('/', createPage())
  }
  hono.notFound(({ req }) => sandbox.service(req.raw))
  // What is the service's own goes straight there: it is most of what comes, and its router is the contract.
  const isOurs = (url: string) => /^[a-z]+:\/\/[^/]*\/(_sandbox\/|assets\/|(\?|$))/.test(url)
  return {
    ...sandbox,
    fetch: async (request) => (isOurs(request.url) ? hono.fetch(request) : sandbox.service(request)),
    drain,
    async close() {
      drain()
      await sandbox.close()
    },
  }
}

/** Tells the page too what happens. */
function observed(observe: Observers = {}, recorder: Recorder, { announce }: Changes): Observers {
  return {
    ...observe,
    answered(answered) {
      recorder.record(answered)
      announce()
      observe.answered?.(answered)
    },
    attempted(attempted) {
      announce()
      observe.attempted?.(attempted)
    },
    settled(count) {
      announce()
      observe.settled?.(count)
    },
  }
}
