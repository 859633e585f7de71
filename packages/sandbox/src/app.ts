import { Hono } from 'hono'
import { createControl } from './control/control.ts'
import { createRecorder } from './control/recorder.ts'
import type { Fetch } from './listen.ts'
import { createOperation } from './operation/endpoints.ts'
import { createPage } from './page/page.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

export interface AppOptions extends SandboxOptions {
  /** Whether the page and `/_sandbox/` are served; they are by default. Health and metrics always are. */
  readonly control?: boolean
  /** Whether requests and deliveries are logged on stderr, a line of JSON each. */
  readonly verbose?: boolean
}

/** A sandbox with all that it serves over HTTP. */
export interface App extends Sandbox {
  readonly fetch: Fetch
  /** Says not ready from now on. */
  drain(): void
}

/**
 * A sandbox with its page and its control.
 *
 * @throws {StoreError} when the state cannot be opened.
 */
export async function createApp({ control = true, ...options }: AppOptions = {}): Promise<App> {
  const recorder = createRecorder()
  const observe = {
    ...options.observe,
    answered: (answered: Parameters<typeof recorder.record>[0]) => {
      recorder.record(answered)
      options.observe?.answered?.(answered)
    },
  }
  const sandbox = await createSandbox({ ...options, observe })
  const { endpoints, drain } = createOperation(sandbox.store)
  const hono = new Hono().route('/_sandbox', endpoints)
  if (control) hono.route('/_sandbox', createControl(sandbox, recorder)).route('/', createPage())
  hono.notFound(({ req }) => sandbox.service(req.raw))
  // What is the service's own goes straight there: it is most of what comes, and its router is the contract.
  const isOurs = (url: string) => /^[a-z]+:\/\/[^/]*\/(_sandbox\/|assets\/|(\?|$))/.test(url)
  return {
    ...sandbox,
    drain,
    fetch: async (request) => (isOurs(request.url) ? hono.fetch(request) : sandbox.service(request)),
  }
}
