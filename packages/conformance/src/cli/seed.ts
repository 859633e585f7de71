import { baseOf, isOnThisMachine } from '../engine/prepare.ts'
import { CannotRun } from '../model/errors.ts'
import type { HttpResponse } from '../model/http.ts'
import { createServiceClock } from '../transport/service-clock.ts'
import { createHttpTransport } from '../transport/transport.ts'
import { log } from './process.ts'

/** Credentials of the sandbox's seed data, as environment variables. */
const SEED = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret', OTHER_KEY: 'other', OTHER_SECRET: 'secret' }

/**
 * The seed credentials, if the target is a sandbox on this machine, which its control API shows; otherwise none.
 *
 * @throws {CannotRun} if nothing responds on this machine
 */
export async function seedCredentials(target: string): Promise<Partial<typeof SEED>> {
  const base = baseOf(target)
  if (!isOnThisMachine(base) || !(await isSandbox(base))) return {}
  const variables = Object.entries(SEED).map((it) => it.join('='))
  log(`No credentials were given, so the run uses those of the sandbox's seed data: ${variables.join(' ')}`)
  return SEED
}

async function isSandbox(base: URL): Promise<boolean> {
  const transport = createHttpTransport(base)
  const clock = createServiceClock({ send: (request) => expectResponse(transport.send(request)) }, 'sandbox')
  await clock.look().finally(transport.close)
  return clock.isControlled
}

/** @throws {CannotRun} if none comes */
async function expectResponse(sent: Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await sent
  if (response.status === 0) throw new CannotRun(`the service cannot be reached: ${response.text}`)
  return response
}
