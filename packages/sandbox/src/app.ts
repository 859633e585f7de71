import { Hono } from 'hono'
import { createControl } from './control/control.ts'
import { createRecorder } from './control/recorder.ts'
import { createPage } from './page/page.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import type { Fetch } from './serve.ts'

export interface AppOptions extends SandboxOptions {
  /** Whether the page and `/_sandbox/` are served; they are by default. Health and metrics always are. */
  readonly control?: boolean
}

/** A sandbox with all that it serves over HTTP. */
export interface App extends Sandbox {
  readonly fetch: Fetch
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
  const hono = new Hono()
  if (control) hono.route('/_sandbox', createControl(sandbox, recorder)).route('/', createPage())
  hono.notFound(({ req }) => sandbox.service(req.raw))
  // What is the service's own goes straight there: it is most of what comes, and its router is the contract.
  const isOurs = (url: string) => /^[a-z]+:\/\/[^/]*\/(_sandbox\/|assets\/|(\?|$))/.test(url)
  return {
    ...sandbox,
    fetch: async (request) => (isOurs(request.url) ? hono.fetch(request) : sandbox.service(request)),
  }
}
